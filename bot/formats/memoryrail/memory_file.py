"""One memory file into a Memory and what is wrong with it (spec/memoryrail.md, "Memory files").

A memory that can bind does bind: a fault in one field is reported, and the rest holds. Without a
readable type, status or title there is no memory.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, TypeVar

from bot.core.model import Memory, MemoryType, Problem, Status, TreeFile
from bot.core.quoting import cut
from bot.core.timestamps import instant
from bot.core.yaml_nodes import Map, Node, Scalar, Sequence, YamlError
from bot.formats.memoryrail import frontmatter
from bot.formats.memoryrail.layout import id_of
from bot.formats.memoryrail.unread import unread_problem

REQUIRED: Final = ("id", "type", "title", "status", "created", "updated")

_UNSAFE: Final = re.compile(r"[^\w-]", re.ASCII)  # in a key that becomes part of a rule's name
_Closed = TypeVar("_Closed", bound=StrEnum)
_RULE_OF_FIELD: Final = {
    "type": "bad-type",
    "title": "bad-title",
    "status": "bad-status",
    "created": "bad-timestamp",
    "updated": "bad-timestamp",
}  # a fault in any other field is bad-frontmatter


def read_memory(file: TreeFile) -> tuple[Memory | None, tuple[Problem, ...]]:
    """Read a memory file; the problems are in the order of their lines. Never raises."""
    if (unread := unread_problem(file)) is not None:
        return None, (unread,)
    data = file.data or b""
    text = data.decode("utf-8", "replace")
    encoding = _encoding_problem(data, file.path)
    try:
        parts = frontmatter.split(text)
        if encoding and (parts is None or "\ufffd" in parts.frontmatter):
            return None, (encoding,)
        if parts is None:
            message = "The file does not begin with a line of three dashes and `key: value` lines."
            return None, (Problem(path=file.path, rule="missing-frontmatter", message=message),)
        found = _Fields(frontmatter.fields(parts), file.path)
    except YamlError as error:
        return None, (encoding or _bad_frontmatter(file.path, error),)
    memory = found.memory(parts.body)
    problems = (*found.problems, encoding) if encoding else found.problems
    return memory, tuple(sorted(problems, key=lambda problem: problem.line))


def _encoding_problem(data: bytes, path: str) -> Problem | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        message = f"Byte {error.start} is not UTF-8. Save the file as UTF-8."
        return Problem(path=path, line=line, rule="bad-encoding", message=message)
    return None


def _bad_frontmatter(path: str, error: YamlError) -> Problem:
    hint = " Put a value that holds a colon and a blank in double quotes."
    message = f"The frontmatter cannot be read: {error.problem}."
    if "mapping values" in error.problem:
        message += hint
    return Problem(path=path, line=error.line, rule="bad-frontmatter", message=message)


class _Fields:
    """The fields of one file: each is taken once, and what is wrong with it is noted."""

    def __init__(self, fields: Map, path: str) -> None:
        self._entries = fields.entries
        self._path = path
        self._repeated = frozenset(name for name, _ in fields.duplicates)
        self.problems: list[Problem] = []
        for name, line in _duplicates(fields):
            self._note(f"duplicate-field:{name}", line, f"`{name}` is given twice. Keep one.")
        for name in REQUIRED:
            if self._node(name) is None and name not in self._repeated:
                self._note(f"missing-field:{name}", 1, f"`{name}` is missing.")

    def memory(self, body: str) -> Memory | None:
        """The memory, None when type, title or status cannot be known."""
        id_ = self._id()
        type_ = self._one_of("type", MemoryType)
        title = self._title()
        status = self._one_of("status", Status)
        known = {
            "created": self._timestamp("created"),
            "updated": self._timestamp("updated"),
            "supersedes": self._text("supersedes"),
            "superseded_by": self._text("superseded_by"),
        }
        tags, links, pinned = self._texts("tags"), self._texts("links"), self._pinned()
        if type_ is None or title is None or status is None:
            return None
        return Memory(
            id=id_,
            type=type_,
            title=title,
            status=status,
            created=known["created"] or "",
            updated=known["updated"] or "",
            tags=tags,
            links=links,
            pinned=pinned,
            supersedes=known["supersedes"] or None,
            superseded_by=known["superseded_by"] or None,
            body=body,
            path=self._path,
            lines={name: entry.line for name, entry in self._entries.items()},
        )

    def _id(self) -> str:
        name = id_of(self._path)
        written = self._text("id")
        if written is not None and written != name:
            message = f"`id` must equal the file's name without .md: {name!r}."
            self._note("id-filename-mismatch", self._line("id"), message)
        return written or name

    def _title(self) -> str | None:
        title = self._text("title")
        if title is None:
            return None
        if not title.strip():
            self._note("bad-title", self._line("title"), "`title` is empty. State the conclusion.")
            return None
        if any(_breaks_line(character) for character in title):
            message = "`title` must be one line without control characters."
            self._note("bad-title", self._line("title"), message)
            return " ".join("".join(" " if _breaks_line(c) else c for c in title).split())
        return title

    def _one_of(self, name: str, closed: type[_Closed]) -> _Closed | None:
        text = self._text(name)
        if text is None:
            return None
        try:
            return closed(text)
        except ValueError:
            values = [member.value for member in closed]
            near = difflib.get_close_matches(text[:40].lower(), values, n=1)
            message = f"`{name}` must be one of {', '.join(values)}."
            self._note(
                _RULE_OF_FIELD[name],
                self._line(name),
                f"{message} Did you mean {near[0]}?" if near else message,
            )
            return None

    def _timestamp(self, name: str) -> str | None:
        text = self._text(name)
        if text is not None and instant(text) is None:
            message = f"`{name}` must be an ISO 8601 timestamp such as 2026-10-10T17:30:00.000Z."
            self._note("bad-timestamp", self._line(name), message)
        return text

    def _pinned(self) -> bool:
        node = self._node("pinned")
        if node is None:
            return False
        value = node.boolean if isinstance(node, Scalar) else None
        if value is None:
            message = "`pinned` must be true or false, without quotes."
            self._note("bad-pinned", self._line("pinned"), message)
        return bool(value)

    def _texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        node = self._node(name)
        if node is None:
            return ()
        items = node.items if isinstance(node, Sequence) else (node,)
        texts = []
        for item in items:
            if isinstance(item, Scalar) and not item.is_null:
                texts.append(_line_of_text(item))
            else:
                self._note("bad-frontmatter", item.line, f"`{name}` must be a list of texts.")
        return tuple(texts)

    def _text(self, name: str) -> str | None:
        node = self._node(name)
        if node is None:
            return None
        if isinstance(node, Scalar):
            return _line_of_text(node)
        rule = _RULE_OF_FIELD.get(name, "bad-frontmatter")
        self._note(rule, self._line(name), f"`{name}` must be a single text.")
        return None

    def _node(self, name: str) -> Node | None:
        """The value of a field. One that is null or given twice counts as not given."""
        entry = self._entries.get(name)
        if entry is None or name in self._repeated:
            return None
        node = entry.value
        return None if isinstance(node, Scalar) and node.is_null else node

    def _line(self, name: str) -> int:
        return self._entries[name].line

    def _note(self, rule: str, line: int, message: str) -> None:
        self.problems.append(Problem(path=self._path, line=line, rule=rule, message=message))


def _duplicates(fields: Map, above: str = "") -> Iterator[tuple[str, int]]:
    """Keys given twice, nested ones too, as a path of keys that is safe to show."""
    for name, line in fields.duplicates:
        yield above + _UNSAFE.sub("?", cut(name, 40)), line
    for name, entry in fields.entries.items():
        nested = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
        for node in nested:
            if isinstance(node, Map):
                yield from _duplicates(node, f"{above}{_UNSAFE.sub('?', cut(name, 40))}.")


def _line_of_text(scalar: Scalar) -> str:
    """A scalar's text without the line end that a YAML block adds to its last line."""
    return scalar.text.removesuffix("\n")


def _breaks_line(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Zl", "Zp"}
