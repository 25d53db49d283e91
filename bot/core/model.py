"""The memory of a repository as plain values, the same for every format.

The words are those of spec/memoryrail.md. A format's package reads its files into these types;
everything after that (precheck, lint, sync, review) knows no file syntax.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class MemoryType(StrEnum):
    """What a memory is. The order is that of the format document."""

    DECISION = "decision"
    CONSTRAINT = "constraint"
    GOTCHA = "gotcha"
    ATTEMPT = "attempt"
    THREAD = "thread"
    SESSION = "session"


class Status(StrEnum):
    """Where a memory stands in its life. Only ACTIVE ones bind."""

    ACTIVE = "active"
    PROPOSED = "proposed"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    RESOLVED = "resolved"


DURABLE: Final = frozenset(
    {MemoryType.DECISION, MemoryType.CONSTRAINT, MemoryType.GOTCHA, MemoryType.ATTEMPT}
)  # the types that the review gate holds back

_REF_PREFIX: Final[Mapping[MemoryType, str]] = {
    MemoryType.DECISION: "DEC",
    MemoryType.CONSTRAINT: "CON",
    MemoryType.GOTCHA: "GOT",
    MemoryType.ATTEMPT: "ATT",
    MemoryType.THREAD: "THR",
    MemoryType.SESSION: "SES",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory. Texts are as written: a timestamp, `yes` or `0123` is never converted."""

    id: str
    type: MemoryType
    title: str
    status: Status
    created: str
    updated: str
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()  # POSIX paths from the store's root; a directory covers all below
    pinned: bool = False
    supersedes: str | None = None
    superseded_by: str | None = None
    body: str = ""  # Markdown below the frontmatter, line ends as they were
    path: str  # of its file, from the repository's root
    lines: Mapping[str, int] = field(default_factory=dict)  # field name -> its line, from 1
    vouched: str = ""  # the field by which it says that a person wrote or reviewed it
    task: str = ""  # id of the task that it comes from, where a format has one
    kind: str = ""  # the word of its format for its type, where it has words of its own
    seal: str = ""  # hash of its exact text, where a file holds several memories

    @property
    def place(self) -> tuple[str, str]:
        """What tells it from every other memory of a commit: ids repeat, and files hold several."""
        return self.path, self.id

    @property
    def anchor(self) -> str:
        """The path of its file; of one that shares its file with others, with # and its id."""
        return f"{self.path}#{self.id}" if self.seal else self.path

    @property
    def called(self) -> str:
        """What it is, in the word of its format."""
        return self.kind or self.type.value

    @property
    def ref(self) -> str:
        """The short ref, e.g. DEC-5dbe: derived from type and id, so it may be ambiguous."""
        return short_ref(self.type, self.id)


def short_ref(type_: MemoryType, id_: str) -> str:
    """Three letters for the type and four hex digits of the SHA-1 of the id in UTF-8."""
    digest = hashlib.sha1(id_.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    return f"{_REF_PREFIX[type_]}-{digest.hexdigest()[:4]}"


class Severity(StrEnum):
    """How much a problem in a memory file weighs."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """Something wrong in a file: where, which rule, what, and what would be right."""

    path: str
    line: int = 1  # from 1
    rule: str  # a kind of spec/memoryrail.md, e.g. missing-field:title
    message: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFile:
    """A file of a commit's tree. data is None when it was not read; unread says why."""

    path: str  # POSIX, from the repository's root
    oid: str  # git's object id of the content; "" for an uncommitted file
    data: bytes | None = field(default=None, repr=False)
    is_symlink: bool = False  # data is then the target
    unread: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStore:
    """A store as one commit has it. What cannot be read is a problem, never a reason to stop."""

    format: str  # NAME of its package in bot/formats
    root: str  # directory that holds it, from the repository's root; "" is the root itself
    gated: bool = False  # config.json says "review": "agents"
    memories: tuple[Memory, ...] = ()  # by id, or the newest first where the newest counts most
    problems: tuple[Problem, ...] = ()  # by path and line
    config: str = ""  # path of the file that makes the directory a store; "" where none does
    files: Mapping[str, TreeFile] = field(default_factory=dict, repr=False)  # of memories, by path
    agent_files: tuple[str, ...] = ()  # paths where generated files of this store stand
    only_appended: bool = False  # files hold several memories, which are never edited afterwards
    edited_in_place: bool = False  # memories may be reworded, retyped and taken away as they stand
    unshared: tuple[str, ...] = ()  # files that a format wants kept out of public repositories

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from the other stores of a commit: several may stand at one root."""
        return self.root, self.format

    @property
    def active(self) -> tuple[Memory, ...]:
        """The memories that bind."""
        return tuple(memory for memory in self.memories if memory.status is Status.ACTIVE)

    def governs(self, path: str) -> bool:
        """Whether path lies below the store's root."""
        return not self.root or path.startswith(f"{self.root}/")

    def relative(self, path: str) -> str:
        """A governed path as the store's links spell it: from the store's root."""
        return path.removeprefix(f"{self.root}/") if self.root else path
