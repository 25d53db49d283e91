"""YAML from strangers as nodes that keep every value as the text that was written.

Nothing is converted: a timestamp, `yes`, `0123`, `1.10` and `12:30:45` are texts. Tags and anchors
have no effect, aliases are refused, and depth is limited, so a small text stays small in memory.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from bot.core.errors import BotError

MAX_DEPTH: Final = 8  # mappings and sequences inside one another; the document itself is the first

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})  # YAML 1.2, core schema
_BOOLEANS: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}  # YAML 1.2, core schema
# What writers are asked to write, a JSON value to a line: spellings that need no YAML reader.
_TEXT: Final = r'"[^"\\\n]*"'
_JSON_LINE: Final = re.compile(
    rf"([A-Za-z_]\w{{0,60}}): (?:({_TEXT})|(true|false)|\[((?:{_TEXT}(?:, ?{_TEXT})*)?)\])\n",
    re.ASCII,
)
_SAFE: Final = re.compile(
    "[\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*"
)
_SURROGATE_ESCAPE: Final = re.compile(r"\\\\|\\(?=u[dD][89a-fA-F])")  # or a back-slash escaped
_C_LOADER: Final = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class YamlError(BotError):
    """A text that is no YAML, or more than is read here. line counts from 1 in the whole file."""

    def __init__(self, problem: str, *, line: int) -> None:
        super().__init__(f"line {line}: {problem}")
        self.problem, self.line = problem, line


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value: the text that YAML gives it, before any guess at a type."""

    text: str
    line: int
    plain: bool  # written without quotes, and not as a block

    @property
    def is_null(self) -> bool:
        """Whether nothing, `~` or `null` stands there without quotes."""
        return self.plain and self.text in _NULLS

    @property
    def boolean(self) -> bool | None:
        """The truth value that YAML 1.2 reads, None for anything else."""
        return _BOOLEANS.get(self.text) if self.plain else None


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, in flow or block style."""

    items: "tuple[Node, ...]"
    line: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands behind a key; line is the key's."""

    value: "Node"
    line: int


@dataclass(frozen=True, slots=True)
class Map:
    """A mapping in the order of the file. A key given again is kept apart, not merged."""

    entries: Mapping[str, Entry]
    line: int
    duplicates: tuple[tuple[str, int], ...] = field(default=())  # (key, line of the repetition)


Node = Scalar | Sequence | Map
_Loader = yaml.CSafeLoader | yaml.SafeLoader


def parse(text: str, *, first_line: int = 1) -> Map:
    """Read one YAML document whose top is a mapping; an empty text gives an empty one.

    first_line: the line of the file on which text begins. Raises YamlError.
    """
    if (plain := _json_lines(text, first_line)) is not None:
        return plain
    # libyaml refuses escapes of surrogates, which JSON needs for characters such as emoji. So their
    # back-slashes are hidden from it, behind a character that the text does not hold.
    hidden = next((chr(one) for one in range(0xE000, 0xF900) if chr(one) not in text), None)
    if hidden is None:
        raise YamlError("every character for private use is used", line=first_line)
    text = _SURROGATE_ESCAPE.sub(lambda found: found[0] if len(found[0]) > 1 else hidden, text)
    try:
        loader = _C_LOADER(text)
        try:
            return _Reader(loader, text, first_line, hidden=hidden).document()
        finally:
            loader.dispose()
    except (yaml.YAMLError, UnicodeError) as error:
        problem = getattr(error, "problem", None) or "a character that YAML does not allow"
        line = first_line + text.count("\n", 0, _position(error, text))
        raise YamlError(f"not valid YAML: {problem}", line=line) from None


def _json_lines(text: str, first_line: int) -> Map | None:
    """A text of nothing but simple JSON values, read at half the cost; None for any other."""
    if not text or not _SAFE.fullmatch(text):
        return None
    entries: dict[str, Entry] = {}
    line, position = first_line, 0
    while position < len(text):
        found = _JSON_LINE.match(text, position)
        if found is None or found[1] in entries:
            return None
        _, quoted, boolean, items = found.groups()
        value: Node
        if quoted is not None:
            value = Scalar(quoted[1:-1], line, plain=False)
        elif boolean is not None:
            value = Scalar(boolean, line, plain=True)
        else:
            texts = items.split('"')[1::2]  # no item holds a quote
            value = Sequence(tuple(Scalar(one, line, plain=False) for one in texts), line)
        entries[found[1]] = Entry(value, line)
        line, position = line + 1, found.end()
    return Map(entries, first_line)


def _position(error: Exception, text: str) -> int:
    """Where in the text an error of the YAML library lies, as far as it says."""
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return int(mark.index)
    refused = yaml.reader.Reader.NON_PRINTABLE.search(text)
    return refused.start() if refused else 0


class _Reader:
    """Builds nodes from the events of one document, as far as the limits allow."""

    def __init__(self, loader: _Loader, text: str, first_line: int, *, hidden: str) -> None:
        """hidden: stands for the back-slash of an escaped half of a surrogate pair."""
        self._loader = loader
        self._text = text
        self._hidden = hidden
        self._counted = 0  # characters of text whose line ends are in _line
        self._line = first_line
        self._depth = 0

    def document(self) -> Map:
        self._next()  # the start of the stream
        if isinstance(self._next(), yaml.StreamEndEvent):
            return Map({}, self._line)
        top = self._node(self._next())
        self._next()  # the end of the document
        following = self._next()
        if not isinstance(following, yaml.StreamEndEvent):
            raise YamlError("a second document begins here", line=self._line_of(following))
        if isinstance(top, Scalar) and top.is_null:
            return Map({}, top.line)
        if not isinstance(top, Map):
            raise YamlError("expected `key: value` lines", line=top.line)
        return top

    def _next(self) -> Any:
        return self._loader.get_event()

    def _node(self, event: Any) -> Node:
        line = self._line_of(event)
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(self._scalar_text(event, line), line, not event.style)
        if isinstance(event, yaml.AliasEvent):
            raise YamlError("aliases (`*name`) are not read: write the value out", line=line)
        if self._depth == MAX_DEPTH:
            raise YamlError(f"nested deeper than {MAX_DEPTH} levels", line=line)
        self._depth += 1
        node = (
            self._map(line)
            if isinstance(event, yaml.MappingStartEvent)
            else Sequence(self._items(), line)
        )
        self._depth -= 1
        return node

    def _items(self) -> tuple[Node, ...]:
        items = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event))
        return tuple(items)

    def _map(self, line: int) -> Map:
        entries: dict[str, Entry] = {}
        duplicates = []
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event)
            if not isinstance(key, Scalar):
                raise YamlError("a key must be a single text", line=key.line)
            value = self._node(self._next())
            if key.text in entries:
                duplicates.append((key.text, key.line))
            else:
                entries[key.text] = Entry(value, key.line)
        return Map(entries, line, tuple(duplicates))

    def _scalar_text(self, event: yaml.ScalarEvent, line: int) -> str:
        text: str = event.value
        if self._hidden not in text:
            return text
        if event.style != '"':  # there an escape is no escape
            return text.replace(self._hidden, "\\")
        halves = re.sub(f"{self._hidden}u([0-9a-fA-F]{{4}})", _half, text)
        try:
            return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeError:
            raise YamlError("half of a surrogate pair is no character", line=line) from None

    def _line_of(self, event: Any) -> int:
        return self._line_at(event.start_mark.index)

    def _line_at(self, index: int) -> int:
        """The line of a position. Only \\n ends one, as git and GitHub count; YAML knows more."""
        if index > self._counted:
            self._line += self._text.count("\n", self._counted, index)
            self._counted = index
        return self._line


def _half(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16))
