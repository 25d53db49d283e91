"""The fields of a document and its body, as they stand there (spec/jumpybrain.md, "Grammar").

This is not YAML: a value is the rest of its line, so `title: Step 2: retry # now` is a plain text.
Nothing is lost: every value knows where it stands in the very text, and lines that are not read
stay where they are.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from bot.core.line_editor import Span, newline, replaced

BOM: Final = "\ufeff"

_OPENING: Final = re.compile(r"\ufeff?[^\S\n]*---[^\S\n]*\n")
_CLOSING: Final = re.compile(r"^[^\S\n]*---[^\S\n]*(?:\n|\Z)", re.MULTILINE)
_FIELD: Final = re.compile(r"([A-Za-z0-9_-]+):(.*)", re.ASCII | re.DOTALL)
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?", re.ASCII)
_MAX_DIGITS: Final = 15  # of a number that a float holds exactly
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_UNREADABLE: Final = "\ufffd"


class Field(NamedTuple):  # a tuple, for ten thousand documents have a hundred thousand of them
    """A field."""

    raw: str  # all that stands behind the colon, without the blanks around it
    line: int  # from 1
    start: int  # of the line in the file's text
    end: int  # of the line, with its line end

    @property
    def text(self) -> str:
        """The value as a text: of a number as it is written, of JSON what it says."""
        return unquoted(self.raw)

    @property
    def is_list(self) -> bool:
        """Whether it stands in brackets."""
        return len(self.raw) > 1 and self.raw[0] == "[" and self.raw[-1] == "]"

    @property
    def items(self) -> tuple[str, ...]:
        """The value as a list of texts; a single text is a list of one."""
        if self.is_list:
            return _items(self.raw)
        return (self.text,) if self.raw else ()

    @property
    def value(self) -> str | bool | int | float | list[str]:
        """The value with its type: true, false, a number of up to 15 digits, a list, else text."""
        if self.is_list:
            return list(self.items)
        if self.raw in {"true", "false"}:
            return self.raw == "true"
        if _NUMBER.fullmatch(self.raw) and sum(map(str.isdigit, self.raw)) <= _MAX_DIGITS:
            return float(self.raw) if "." in self.raw else int(self.raw)
        return self.text


class Parts(NamedTuple):
    """A document taken apart; nothing of it is changed."""

    fields: Mapping[str, Field]  # where one is given twice, the last
    fields_start: int  # where the first line below the opening one begins; 0 without frontmatter
    fields_end: int  # where the closing line begins
    body_start: int
    body_line: int  # its first line, from 1
    repeated: tuple[tuple[str, int], ...] = ()  # a name that stood there already, and its line
    unread: tuple[int, ...] = ()  # lines that say something which no reader takes
    is_open: bool = False  # it begins like frontmatter that does not end, so all of it is body

    @property
    def has_frontmatter(self) -> bool:
        """Whether it begins with lines between dashes."""
        return self.fields_start > 0

    def raw(self, name: str) -> str:
        """A field's value as it is written; "" where it is missing."""
        found = self.fields.get(name)
        return found.raw if found else ""

    def text(self, name: str) -> str:
        """A field as a text; "" where it is missing."""
        found = self.fields.get(name)
        return found.text if found else ""


def parse(text: str) -> Parts:
    """Take a document's text apart. Never raises."""
    opening = _OPENING.match(text)
    if opening is None:
        start = len(BOM) if text.startswith(BOM) else 0
        return Parts({}, 0, 0, start, 1)
    position = opening.end()
    closing = _CLOSING.search(text, position)
    if closing is None:
        return Parts({}, 0, 0, len(BOM) if text.startswith(BOM) else 0, 1, is_open=True)
    fields: dict[str, Field] = {}
    repeated: list[tuple[str, int]] = []
    unread: list[int] = []
    number = 1
    for number, line in enumerate(text[position : closing.start()].split("\n")[:-1], 2):
        end = position + len(line) + 1
        if (found := _FIELD.match(line)) is not None:
            name = found[1]
            if name in fields:
                repeated.append((name, number))
            fields[name] = Field(found[2].strip(), number, position, end)
        elif (said := line.strip()) and said[0] != "#":
            unread.append(number)
        position = end
    return Parts(
        *(fields, opening.end(), closing.start(), closing.end(), number + 2),
        repeated=tuple(repeated),
        unread=tuple(unread),
    )


def session_id(parts: Parts) -> str:
    """The session that a document comes from; `sessionId` is an older spelling."""
    return parts.text("session_id") or parts.text("sessionId")


def unquoted(raw: str) -> str:
    """A value without the quotes around it; what stands in double ones is a JSON text."""
    if len(raw) < 2 or raw[0] != raw[-1] or raw[0] not in "\"'":
        return raw
    if raw[0] == '"' and "\\" in raw:
        try:
            return _SURROGATES.sub(_UNREADABLE, json.loads(raw, strict=False))
        except ValueError:
            pass
    return raw[1:-1]


def _items(raw: str) -> tuple[str, ...]:
    try:
        items = json.loads(
            raw, strict=False, parse_int=str, parse_float=str, parse_constant=_no_constant
        )
    except (ValueError, RecursionError):
        parts = (unquoted(part.strip()) for part in raw[1:-1].split(","))
        return tuple(part for part in parts if part)
    shown = (one if isinstance(one, str) else json.dumps(one) for one in items)
    return tuple(_SURROGATES.sub(_UNREADABLE, one) for one in shown)


def _no_constant(name: str) -> str:
    raise ValueError(name)


def written(value: str | Iterable[str]) -> str:
    """A value as writers put it behind the colon: compact JSON. No line ends stand in it."""
    said = value if isinstance(value, str) else list(value)
    shown = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    # What would end the line for some reader, or cannot be encoded.
    return re.sub(
        "[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]", lambda one: f"\\u{ord(one[0]):04x}", shown
    )


def block(fields: Mapping[str, str], end: str = "\n") -> str:
    """Frontmatter. fields: each with its value as it stands behind the colon. end: of the lines."""
    lines = ["---", *(_line(name, value) for name, value in fields.items()), "---", ""]
    return end.join(lines)


def with_fields(
    text: str,
    changes: Mapping[str, str | None],
    *,
    first: Mapping[str, str] | None = None,
    gap: bool = True,
) -> str:
    """A text with fields set and all else as it is. Values are raw, as behind the colon.

    A field that is there is replaced in its place, None takes its line out; others come at the end
    of the fields in the given order, those of `first` at their beginning. Without frontmatter a new
    one is put in front, with a blank line below it where gap is true.
    """
    parts = parse(text)
    first = first or {}
    end = newline(text)
    if not parts.has_frontmatter:
        fields = {**first, **{name: raw for name, raw in changes.items() if raw is not None}}
        start = len(BOM) if text.startswith(BOM) else 0
        return text[:start] + block(fields, end) + (end if gap else "") + text[start:]
    spans = []
    front: list[str] = []
    back: list[str] = []
    for name, raw in (*first.items(), *changes.items()):
        field = parts.fields.get(name)
        if field is None and raw is not None:
            (front if name in first else back).append(f"{_line(name, raw)}{end}")
        elif field is not None:
            spans.append(_replacement(text, name, field, raw))
    for position, lines in ((parts.fields_start, front), (parts.fields_end, back)):
        if lines:
            spans.append(Span(start=position, end=position, text="".join(lines)))
    return replaced(text, spans)


def _replacement(text: str, name: str, field: Field, raw: str | None) -> Span:
    if raw is None:
        return Span(start=field.start, end=field.end, text="")
    ending = "\r\n" if text[: field.end].endswith("\r\n") else "\n"
    return Span(start=field.start, end=field.end, text=f"{_line(name, raw)}{ending}")


def _line(name: str, raw: str) -> str:
    return f"{name}: {raw}" if raw else f"{name}:"
