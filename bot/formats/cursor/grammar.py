"""The blocks of a file and their fields, as they stand there (spec/cursor.md, "Grammar").

This is not YAML: a value is the rest of its line, so `summary: Fix: retry` and `summary: @ops` are
plain texts. Nothing is lost: a block knows where it begins and ends in the very text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

START: Final = "<!-- memory-entry:start -->"
END: Final = "<!-- memory-entry:end -->"

_MARKER: Final = re.compile(r"^[^\S\n]*<!-- memory-entry:(start|end) -->[^\S\n]*$", re.MULTILINE)
_AROUND: Final = "\ufeff \t\n"  # what may stand around the markers on their lines
_RULER: Final = re.compile(r"^[^\S\n]*---[^\S\n]*$", re.MULTILINE)
_FIELD: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[^\S\n]*:(.*)", re.ASCII)


class Field(NamedTuple):  # a tuple, for ten thousand entries have a hundred thousand of them
    """A field of an entry."""

    raw: str  # all that stands behind the colon, without the blanks around it
    line: int

    @property
    def text(self) -> str:
        """The value as a text, without quotes at its ends."""
        return unquoted(self.raw)

    @property
    def items(self) -> tuple[str, ...]:
        """The value as a list; a single text is a list of one."""
        if not self.is_list:
            return (self.text,) if self.text else ()
        parts = (unquoted(part.strip()) for part in self.raw[1:-1].split(","))
        return tuple(part for part in parts if part)

    @property
    def is_list(self) -> bool:
        """Whether it stands in brackets."""
        return len(self.raw) > 1 and self.raw[0] == "[" and self.raw[-1] == "]"


class Fault(NamedTuple):
    """What keeps a block from being read: a rule, and the line."""

    rule: str
    line: int


class Entry(NamedTuple):
    """A block of a file, markers included: characters start to end, the last line's end with it."""

    start: int
    end: int
    line: int  # of the start marker, from 1
    last_line: int  # of the end marker
    fields: Mapping[str, Field]  # where one is given twice, the last
    body: str  # without the blanks around it; lines end with \n
    body_line: int  # of the line below the frontmatter
    faults: tuple[Fault, ...] = ()

    @property
    def has_frontmatter(self) -> bool:
        """Whether it has two lines of dashes, with fields between them or not."""
        return not any(fault.rule.startswith("missing-frontmatter") for fault in self.faults)

    def text(self, name: str) -> str:
        """The text of a field; "" where there is none."""
        found = self.fields.get(name)
        return found.text if found else ""

    def items(self, name: str) -> tuple[str, ...]:
        """The list of a field; () where there is none."""
        found = self.fields.get(name)
        return found.items if found else ()

    @property
    def id(self) -> str:
        """Its id, "" where it has none."""
        return self.text("id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """The blocks of a file, and the markers that make none."""

    entries: tuple[Entry, ...] = ()
    faults: tuple[Fault, ...] = ()


def blocks(text: str) -> Blocks:
    """Read a file's blocks, in order. Markers count wherever they stand alone on a line.

    A start marker in an open block is a fault, and begins another block; what stood before it is
    given up. A block without an end is a fault. An end marker outside of a block is prose.
    """
    # Of the same length, so that places hold: every line ends with \n here.
    flat = text
    if "\r" in text:
        flat = text.replace("\r\n", " \n").replace("\r", "\n")
    if flat.startswith("\ufeff"):
        flat = f" {flat[1:]}"
    entries: list[Entry] = []
    faults: list[Fault] = []
    opened: re.Match[str] | None = None
    opened_line = line = 1
    at = 0
    for marker in _MARKER.finditer(flat):
        line += flat.count("\n", at, marker.start())
        at = marker.start()
        if marker[1] == "start":
            if opened is not None:
                faults.append(Fault("nested-start", line))
            opened, opened_line = marker, line
        elif opened is not None:
            entries.append(_entry(text, flat, (opened, marker), (opened_line, line)))
            opened = None
    if opened is not None:
        faults.append(Fault("unterminated-entry", opened_line))
    return Blocks(entries=tuple(entries), faults=tuple(faults))


def unquoted(raw: str) -> str:
    """A value without the quotes at either end, whether or not they are pairs."""
    return raw.strip('"').strip("'")


def _entry(
    text: str, flat: str, markers: tuple[re.Match[str], re.Match[str]], lines: tuple[int, int]
) -> Entry:
    """What stands between two markers. flat: the text, each line of which ends with \\n."""
    (opened, closed), (line, last_line) = markers, lines
    end = min(closed.end() + 1, len(flat))
    inside = opened.end() + 1
    between = flat[inside : closed.start()]
    skipped = len(between) - len(between.lstrip())
    begun = _RULER.match(between, between.rfind("\n", 0, skipped) + 1)
    if begun is None:
        at = line + 1 + between.count("\n", 0, skipped)
        fault = Fault("missing-frontmatter-open", min(at, last_line))
        return Entry(opened.start(), end, line, last_line, {}, "", last_line, (fault,))
    first_line = line + 2 + between.count("\n", 0, begun.start())
    shut = _RULER.search(between, begun.end() + 1)
    if shut is None:
        fault = Fault("missing-frontmatter-close", first_line)
        return Entry(opened.start(), end, line, last_line, {}, "", last_line, (fault,))
    inner = between[begun.end() + 1 : max(shut.start() - 1, begun.end())].split("\n")
    fields: dict[str, Field] = {}
    faults: list[Fault] = []
    for number, one in enumerate(inner, first_line):
        if found := _FIELD.fullmatch(one):
            fields[found[1]] = Field(found[2].strip(), number)
        elif one.strip():
            faults.append(Fault("bad-frontmatter-line", number))
    body = between[shut.end() :]
    if text is not flat:  # to search it for \r once more, entry by entry, would take squared time
        body = unix(text[inside + shut.end() : closed.start()])
    body_line = line + 2 + between.count("\n", 0, shut.start())
    return Entry(
        opened.start(), end, line, last_line, fields, body.strip(), body_line, tuple(faults)
    )


def block(text: str, entry: Entry) -> str:
    """An entry exactly as it stands in its file's text, with \n at the ends of its lines."""
    return f"{unix(text[entry.start : entry.end]).strip(_AROUND)}\n"


def unix(text: str) -> str:
    """A text whose lines all end with \n."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
