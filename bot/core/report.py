"""What a review found: plain values that the renderers turn into text.

Nothing here holds the value of a secret.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.core.model import Memory, Status


class Section(StrEnum):
    """The parts of a report, in the order in which people read them."""

    APPLIES = "applies"
    CITATIONS = "citations"
    SECRETS = "secrets"
    MEMORY = "memory"
    SYNC = "sync"
    STALENESS = "staleness"


class State(StrEnum):
    """How a section came out. INCOMPLETE is never a pass: something could not be read."""

    PASSED = "passed"
    NOTICE = "notice"
    FAILED = "failed"
    INCOMPLETE = "incomplete"


class Weight(StrEnum):
    """What a finding does: FAILURE fails its check, ACTION asks a person, the rest is said."""

    FAILURE = "failure"
    ACTION = "action"
    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to say about one place. path is None when it is about the pull request itself."""

    section: Section
    weight: Weight
    rule: str
    message: str  # plain text, one or more sentences; may quote hostile text
    path: str | None = None
    line: int = 1  # in the head's version, from 1
    is_older: bool = False  # it stood on the base before


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Something a section needed and could not have: its verdict is then incomplete."""

    section: Section
    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkHit:
    """A link of a memory that covers a changed path."""

    path: str  # changed path, from the repository's root
    link: str  # as the memory spells it
    exact: bool  # the very path; else a directory that contains it
    depth: int  # parts of the link: deeper is closer
    broad: bool = False  # a directory so wide that the link alone says little
    renamed_from: bool = False  # path is the old name of a rename


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one term adds to the score of a memory."""

    words: str  # as the change spells them; two for a pair
    adds: float
    weight: float  # 1, less when only paths hold it and the more earlier changes hold it
    times: tuple[int, ...]  # in the memory's title, tags and body


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic:
    """How a strength came about: (score - usual) / (change * length * project) - lag."""

    score: float  # the sum of the shares
    usual: float  # part of what memories score on this change anyhow
    change: float  # how much the change says
    length: float  # of the memory, about 1
    project: float  # its size, 1 for a small one
    lag: float  # behind the strongest
    shares: tuple[Share, ...]  # the largest first


@dataclass(frozen=True, slots=True, kw_only=True)
class TextHit:
    """What a memory and the change both speak of."""

    words: tuple[str, ...]  # as the change spells them, the most telling first
    of_paths: tuple[str, ...] = ()  # those of them that only changed paths hold
    strength: float  # comparable across queries; see bot/core/precheck/text.py
    arithmetic: Arithmetic | None = None

    @property
    def is_said(self) -> bool:
        """Whether title or description hold any of the words, and not only the changed paths."""
        return len(self.of_paths) < len(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A memory that applies to a change, and why: at least one of the three reasons."""

    memory: Memory
    store: str  # root of the store it stands in; "" is the repository's root
    pinned: bool = False  # a pinned constraint: applies to every change
    links: tuple[LinkHit, ...] = ()  # the closest first
    text: TextHit | None = None
    acknowledged: bool = False  # on this pull request a maintainer saw it and set it aside
    weak: bool = False  # worth a look by who has the time, no more

    @property
    def folded(self) -> bool:
        """Whether a reader sees it only on asking."""
        return self.acknowledged or self.weak


class CitationState(StrEnum):
    """What became of a `[per REF]`."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    AMBIGUOUS = "ambiguous"
    INACTIVE = "inactive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A memory that title, body or a commit message cites."""

    ref: str  # as written
    state: CitationState
    memory: Memory | None = None  # the one meant, where exactly one is
    suggestion: str | None = None  # the nearest ref, or the one that superseded it
    where: str  # "title", "body" or the sha of a commit


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretHit:
    """A credential in the change: rule and place, never the value."""

    rule: str
    description: str
    level: str  # high, medium or low
    path: str  # a file, or "(title)", "(description)", "(message of commit 1234567)"
    line: int
    column: int = 1  # characters, from 1
    length: int = 0  # of the value, in characters
    fingerprint: str  # keyed per installation, 16 hex digits
    commit: str | None  # sha of the first commit that added it; None for a file that stood there
    at_head: bool  # False: a later commit removes it again, and it is leaked all the same
    why: str = ""  # it is as sure as that
    revoke: str = ""  # the page where it is revoked; "" where none is known
    is_dismissed: bool = False  # a maintainer has said that it is none
    is_marked: bool = False  # a mark hides it, which whoever adds it may have written


class ChangeKind(StrEnum):
    """What a pull request does to a memory file."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """A memory that a pull request adds, changes or removes."""

    kind: ChangeKind
    path: str
    before: Memory | None  # on the base branch
    after: Memory | None  # at the head
    by_agent: bool = False  # the author of a commit that touches it is an agent
    self_reviewed: bool = False  # an agent wrote that a person stands behind it, which is new
    supersedes: Memory | None = None  # what `after` names so, where the head has it
    superseded_by: Memory | None = None  # likewise

    @property
    def memory(self) -> Memory | None:
        """The memory as it will be, or was; None when neither version can be read."""
        return self.after or self.before

    @property
    def is_proposal(self) -> bool:
        """Whether a maintainer may decide on it: relabelling a settled memory makes no proposal."""
        after, before = self.after, self.before
        if after is None or after.status is not Status.PROPOSED:
            return False
        return before is None or before.status is Status.PROPOSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A command that somebody gave on the pull request, as the audit has it."""

    at: str  # 2026-10-10 12:00 UTC
    actor: str  # login, as it was then; "" where nobody knows
    permission: str  # what GitHub said they may do; "" where it was not asked
    verb: str
    refs: str  # separated by blanks
    done: bool  # False: it was refused
    commit_sha: str | None


class BlockState(StrEnum):
    """How a generated block stands to the memories of the same commit."""

    IN_STEP = "in-step"
    OUT_OF_STEP = "out-of-step"
    DAMAGED = "damaged"  # markers unpaired, doubled, nested or reversed
    ABSENT = "absent"  # the file has no block


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChange:
    """A generated agent file at the head."""

    path: str
    state: BlockState
    ours: bool  # rendered by this software; else by another tool, and left to it
    diff: tuple[str, ...] = ()  # unified diff lines that would bring it into step
    line: int = 1  # of its start marker, or of what is wrong
    caused: bool = False  # this pull request touched it or the memories behind it
    rule: str = ""  # what is wrong, where more is known than the state
    problem: str = ""  # the same in words, where the markers are damaged


class StaleKind(StrEnum):
    """Why a memory may no longer be true."""

    LINK_GONE = "stale-link"
    FILES_CHANGED = "maybe-stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleMemory:
    """An active memory whose link this pull request breaks, or whose files it changes."""

    memory: Memory
    kind: StaleKind
    link: str
    renamed_to: str | None = None  # the new name, where the link's target was renamed


class Check(StrEnum):
    """The four required checks. The names never change."""

    PRECHECK = "memoryrail/precheck"
    SECRETS = "memoryrail/secrets"
    MEMORY = "memoryrail/memory"
    SYNC = "memoryrail/sync"


CHECK_OF: Final[Mapping[Section, Check]] = {
    Section.APPLIES: Check.PRECHECK,
    Section.CITATIONS: Check.PRECHECK,
    Section.SECRETS: Check.SECRETS,
    Section.MEMORY: Check.MEMORY,
    Section.STALENESS: Check.MEMORY,
    Section.SYNC: Check.SYNC,
}


class Conclusion(StrEnum):
    """GitHub's words for a verdict. FAILURE and ACTION_REQUIRED block a required check."""

    SUCCESS = "success"
    ACTION_REQUIRED = "action_required"
    FAILURE = "failure"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a review has to say about one head against one base."""

    base_sha: str
    base_ref: str
    head_sha: str
    has_stores: bool  # a store stands on the base or at the head
    memories_read: int  # binding memories on the base
    matches: tuple[Match, ...] = ()  # the most binding first
    citations: tuple[Citation, ...] = ()
    secrets: tuple[SecretHit, ...] = ()
    changes: tuple[MemoryChange, ...] = ()  # by path
    blocks: tuple[BlockChange, ...] = ()  # by path
    stale: tuple[StaleMemory, ...] = ()
    decisions: tuple[Decision, ...] = ()  # the newest first
    findings: tuple[Finding, ...] = ()  # by section, weight, path and line
    unread: tuple[Unread, ...] = ()
    states: Mapping[Section, State] = field(default_factory=dict)
    conclusions: Mapping[Check, Conclusion] = field(default_factory=dict)  # one for each check

    def findings_of(self, check: Check) -> tuple[Finding, ...]:
        """What a check has to say, in the report's order."""
        return tuple(one for one in self.findings if CHECK_OF[one.section] is check)

    def unread_of(self, check: Check) -> tuple[Unread, ...]:
        """What a check needed and could not have."""
        return tuple(one for one in self.unread if CHECK_OF[one.section] is check)
