"""Setting fields of a memory file and changing nothing else (spec/memoryrail.md, "Fields").

The value of a field, or one item of a list, is replaced where it stands, as JSON; a comment behind
it stays. A field that is missing gets a line of its own at the end of the frontmatter. All other
bytes stay.
"""

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import yaml

from bot.core.errors import MemoryFormatError
from bot.core.line_editor import (
    Span,
    decode,
    encode,
    json_text,
    line_end,
    line_start,
    newline,
    replaced,
)
from bot.core.yaml_nodes import Map, Node, Scalar, Sequence, YamlError
from bot.formats.limits import MAX_FILE_BYTES
from bot.formats.memoryrail import frontmatter

_C_LOADER: Final = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_COMMENT: Final = re.compile(r"[ \t]+#[^\r\n]*")
_PROPERTIES: Final = re.compile(r"[&!]\S*(?:[ \t]+[&!]\S*)*((?:[ \t]*(?:#[^\n]*)?\n)+)")
_INDENT: Final = re.compile(r" *")


def set_fields(
    data: bytes,
    fields: Mapping[str, str | bool],
    *,
    items: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    path: str,
) -> bytes:
    """The file with top-level fields set; the same bytes where they have these values already.

    items: by field, what each item of its list that is to be replaced becomes; a single text counts
    as a list of one. path: for errors only. Raises MemoryFormatError when a field stands twice or
    holds a list, when the frontmatter cannot be read, and when the result would not read as
    intended.
    """
    text = decode(data)
    try:
        start, source = _frontmatter(text)
        known = frontmatter.fields(source)
        wanted = _checked(known, fields, path)
        spans = [
            *_spans(source.frontmatter, wanted),
            *_item_spans(source.frontmatter, items),
        ]
        edited = replaced(text, [_moved(span, start) for span in spans])
        now = frontmatter.fields(_frontmatter(edited)[1])
    except YamlError as error:
        problem = f"the frontmatter cannot be edited: {error.problem}"
        raise MemoryFormatError("bad-frontmatter", problem, path=path, line=error.line) from None
    intended = {name: _literal(fields[name]).text for name in wanted}
    swapped = {
        name: _swapped(known.entries[name].value, new)
        for name, new in items.items()
        if name in known.entries
    }
    if _plain_map(now) != {**_plain_map(known), **intended, **swapped}:
        problem = "the frontmatter is written in a way that cannot be edited safely"
        raise MemoryFormatError("bad-frontmatter", problem, path=path, line=known.line)
    if len(data := encode(edited)) > MAX_FILE_BYTES:
        problem = f"the file would be larger than {MAX_FILE_BYTES // 1024} KiB"
        raise MemoryFormatError("too-large", problem, path=path, line=1)
    return data


def _frontmatter(text: str) -> tuple[int, frontmatter.Parts]:
    """Where the frontmatter begins in a file, and the parts of the file. Raises YamlError."""
    parts = frontmatter.split(text)
    if parts is None:
        raise YamlError("the file does not begin with a line of three dashes", line=1)
    start = text.index("\n") + 1
    if strange := re.search("[\ud800-\udfff]", parts.frontmatter):
        line = frontmatter.FIRST_LINE + text.count("\n", start, start + strange.start())
        raise YamlError("it is not UTF-8", line=line)
    return start, parts


@dataclass(frozen=True, slots=True)
class _Literal:
    """A value as it reads and as it is written."""

    text: str
    source: str

    def is_said_by(self, node: Scalar) -> bool:
        """Whether the value stands there already."""
        if self.source[0] == '"':
            return not node.is_null and node.text == self.text
        return node.boolean is not None and node.text.lower() == self.text


def _literal(value: str | bool) -> _Literal:
    if isinstance(value, bool):
        return _Literal(str(value).lower(), str(value).lower())
    return _Literal(value, json_text(value))


def _checked(known: Map, fields: Mapping[str, str | bool], path: str) -> dict[str, str]:
    """How the fields are written that do not have their value yet.

    Raises MemoryFormatError for one given twice.
    """
    repeated = dict(known.duplicates)
    wanted = {}
    for name, value in fields.items():
        if name in repeated:
            problem = f"`{name}` is given twice, so it is not clear which one to set. Keep one."
            rule, line = f"duplicate-field:{name}", repeated[name]
            raise MemoryFormatError(rule, problem, path=path, line=line)
        entry = known.entries.get(name)
        node = entry.value if entry else None
        if node is not None and not isinstance(node, Scalar):
            problem = f"`{name}` must be a single text."
            raise MemoryFormatError("bad-frontmatter", problem, path=path, line=node.line)
        literal = _literal(value)
        if node is None or not literal.is_said_by(node):
            wanted[name] = literal.source
    return wanted


def _swapped(node: Node, new: Mapping[str, str]) -> object:
    """What a list says once items of it are replaced."""
    said = _plain(node)
    if isinstance(said, str):
        return new.get(_item(said), said)
    items = said if isinstance(said, list) else []
    return [new.get(_item(one), one) if isinstance(one, str) else one for one in items]


def _item(text: str) -> str:
    """An item without the line end that a YAML block adds, as readers take it."""
    return text.removesuffix("\n")


def _spans(source: str, wanted: dict[str, str]) -> Iterator[Span]:
    """What to replace in the frontmatter, and what to add to it. Raises YamlError."""
    outline = _Outline(source)
    missing = []
    for name, value in wanted.items():
        if event := outline.values.get(name):
            yield _replacement(source, event, value)
        else:
            missing.append(f"{name}: {value}")
    if missing:
        yield outline.addition(missing)


def _item_spans(source: str, items: Mapping[str, Mapping[str, str]]) -> Iterator[Span]:
    """What to replace in lists. Raises YamlError."""
    if not items:
        return
    outline = _Outline(source)
    for name, new in items.items():
        for event in outline.items.get(name, ()):
            value = new.get(_item(event.value))
            if value is not None and value != event.value:
                yield _replacement(source, event, json_text(value))


class _Outline:
    """Where the top-level entries of a frontmatter stand, as the YAML library tells it."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.values: dict[str, Any] = {}  # key -> the event of its value
        self.items: dict[str, list[Any]] = {}  # key -> the events of its texts, one or a list's
        self._top: Any = None
        self._first_key: Any = None
        self._end = len(source)  # of the document
        depth = 0
        key: Any = None
        within = ""  # the key whose value is being read
        for event in _events(source):
            if isinstance(event, yaml.DocumentEndEvent) and event.explicit:
                mark: Any = event.start_mark
                self._end = mark.index
            if isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif isinstance(event, yaml.NodeEvent):
                if depth == 0:
                    self._top = event
                elif depth == 1 and key is None:
                    key, within = event, ""
                    self._first_key = self._first_key or event
                elif depth == 1:
                    self.values.setdefault(key.value, event)
                    within, key = key.value, None
                if depth <= 2 and within and isinstance(event, yaml.ScalarEvent):
                    self.items.setdefault(within, []).append(event)
                if isinstance(event, yaml.CollectionStartEvent):
                    depth += 1

    def addition(self, entries: list[str]) -> Span:
        """New entries: lines at the end, or in front within braces."""
        if self._first_key is not None and self._top.flow_style:
            start = self._first_key.start_mark.index
            return Span(start=start, end=start, text="".join(f"{entry}, " for entry in entries))
        indent = ""
        if self._first_key is not None:
            first = line_start(self._source, self._first_key.start_mark.index)
            found = _INDENT.match(self._source, first)
            indent = found[0] if found else ""
        end = newline(self._source)
        text = "".join(f"{indent}{entry}{end}" for entry in entries)
        return Span(start=self._end, end=self._end, text=text)


def _events(source: str) -> list[Any]:
    """The events of a text that reads as YAML, by the reader that takes it. Raises YamlError."""
    for loader in (_C_LOADER, yaml.SafeLoader):  # the first refuses escapes of surrogates
        with contextlib.suppress(yaml.YAMLError):
            return list(yaml.parse(source, Loader=loader))
    raise YamlError("not valid YAML", line=frontmatter.FIRST_LINE)


def _replacement(source: str, event: Any, value: str) -> Span:
    """A value in the place of another one, with the comment that stands behind it."""
    start, end = event.start_mark.index, event.end_mark.index
    if event.style in {"|", ">"}:  # its span goes on to the next entry, blank lines included
        comment = _COMMENT.search(source, start, line_end(source, start))
        last = start + len(source[start:end].rstrip(" \t\r\n")) - 1
        return Span(
            start=start,
            end=line_end(source, max(last, start)),
            text=f"{value}{comment[0] if comment else ''}",
        )
    if comments := _behind_properties(source, start):
        value = f"{value} {comments}"
    gap = " " if start == end and source[start - 1 : start] == ":" else ""
    return Span(start=start, end=end, text=f"{gap}{value}")


def _behind_properties(source: str, start: int) -> str:
    """The comments between a value's tag or anchor, which go, and the value itself."""
    found = _PROPERTIES.match(source, start)
    return found[1].strip() if found else ""


def _moved(span: Span, by: int) -> Span:
    return Span(start=span.start + by, end=span.end + by, text=span.text)


def _plain_map(node: Map) -> dict[str, object]:
    return {key: _plain(entry.value) for key, entry in node.entries.items()}


def _plain(node: Node) -> object:
    """What a node says, wherever it stands."""
    if isinstance(node, Map):
        return _plain_map(node)
    return [_plain(item) for item in node.items] if isinstance(node, Sequence) else node.text
