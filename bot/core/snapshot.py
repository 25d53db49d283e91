"""A pull request as plain values: all that a review looks at, whoever read it.

bot/github/ fills it from GitHub, bot/git/ from a local repository.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bot.core.model import Memory, MemoryStore, Problem, TreeFile
from bot.core.report import Decision, Unread
from bot.core.repository_settings import RepositorySettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """An account. A deleted account is None wherever an actor is expected, and never privileged."""

    id: int | None
    login: str  # an app's bot is "name[bot]"
    is_bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository. id is the key; the name may change."""

    id: int
    full_name: str  # owner/name
    default_branch: str
    private: bool = False
    url: str = ""  # of its page, without a trailing slash; "" for a local repository


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """What a pull request says of itself. number is 0 for a local range of commits."""

    number: int
    title: str
    body: str
    author: Actor | None
    base_ref: str
    base_sha: str  # the tip of the base branch, not the sha that GitHub recorded
    head_ref: str
    head_sha: str
    head_repository: str = ""  # owner/name of what holds the head branch; "" when it is gone
    is_fork: bool = False  # the head lies in another repository, or in a deleted one
    is_draft: bool = False
    is_open: bool = True
    is_merged: bool = False
    merges: bool = True  # False: GitHub found a conflict, or will look for one now that it is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedBlock:
    """Consecutive added lines of a file."""

    path: str
    start: int  # line of the first one in the new file, from 1
    text: str  # the lines, joined by \n


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file that differs between the merge base and the head."""

    path: str
    status: Literal["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]
    previous_path: str | None = None  # the old name of a renamed one
    added: tuple[AddedBlock, ...] = ()
    removed: int | None = None  # lines that it takes out; None where nobody counted

    @property
    def paths(self) -> tuple[str, ...]:
        """Every name under which memories may know it: a renamed file counts under both."""
        if self.status == "renamed" and self.previous_path:
            return (self.path, self.previous_path)
        return (self.path,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit of the pull request, with the lines that it adds to its first parent."""

    sha: str
    message: str
    author: Actor | None  # the account, where GitHub knows one
    author_name: str
    author_email: str
    committer: Actor | None = None  # the account, where it is asked for and GitHub knows one
    parents: int = 1
    paths: tuple[str, ...] = ()  # that it touches
    new_paths: tuple[str, ...] = ()  # those that it brings, as by adding or renaming a file
    renames: tuple[tuple[str, str], ...] = ()  # old and new path; both are among paths
    paths_known: bool = True  # False: its changes could not be read
    added: tuple[AddedBlock, ...] = ()
    is_ours: bool = False  # made by this app: GitHub says so, and its signature is verified

    @property
    def is_merge(self) -> bool:
        """Whether it has more than one parent."""
        return self.parents > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What one commit's tree says about memory."""

    sha: str
    stores: tuple[MemoryStore, ...] = ()  # by root
    agent_files: tuple[TreeFile, ...] = ()  # generated files that exist there, by path
    ignore_file: TreeFile | None = None  # .gitleaksignore

    def memory_file(self, path: str) -> TreeFile | None:
        """The file at a path, when it is a memory file of one of the stores."""
        return next((store.files[path] for store in self.stores if path in store.files), None)

    def memory(self, path: str) -> Memory | None:
        """The memory that a file holds, the newest of several; None where none can be read."""
        memories = (memory for store in self.stores for memory in store.memories)
        return next((memory for memory in memories if memory.path == path), None)

    def version(self, memory: Memory) -> tuple[str, str]:
        """The anchor of a memory of this side, and a hash of what it says: of its file, or its own.

        "" for the hash of one that is not there.
        """
        file = self.memory_file(memory.path)
        return memory.anchor, memory.seal or (file.oid if file else "")

    def store_of(self, path: str, format_: str) -> MemoryStore | None:
        """The store of a format that governs a path: the one with the deepest root above it."""
        governing = [one for one in self.stores if one.format == format_ and one.governs(path)]
        return max(governing, key=lambda store: len(store.root), default=None)

    def store_with(self, path: str) -> MemoryStore | None:
        """The store that a memory file belongs to."""
        return next((store for store in self.stores if path in store.files), None)

    def store_like(self, store: MemoryStore) -> MemoryStore | None:
        """The store that another side has at the same root, in the same format."""
        return next((one for one in self.stores if one.key == store.key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """How common words and directories are in the project's earlier changes: counts, no texts."""

    changes: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)  # by bot.core.precheck.history.keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A pull request and the memories on both sides of it."""

    repository: Repository
    pull: PullRequest
    files: tuple[ChangedFile, ...] = ()  # merge base to head, by path
    commits: tuple[Commit, ...] = ()  # the oldest first
    base: Side
    head: Side
    settings: RepositorySettings
    settings_problems: tuple[Problem, ...] = ()  # of .github/memoryrail.yml on the default branch
    owners_settings_problems: tuple[Problem, ...] = ()  # path: of which repository it is, too
    proposed_settings_problems: tuple[Problem, ...] | None = None  # of the head's file; None: same
    differences: tuple[Problem, ...] = ()  # of base and head, that a format forbids or wants said
    history: History = History()
    acknowledged: frozenset[str] = frozenset()  # anchors of memories that a maintainer set aside
    approvals: frozenset[tuple[str, str]] = frozenset()  # path and object id of what was approved
    dismissed: frozenset[str] = frozenset()  # fingerprints of what a maintainer says is no secret
    decisions: tuple[Decision, ...] = ()  # that people took here by commands, the newest first
    gone: frozenset[str] = frozenset()  # of staleness.links_to_look_up: what the head lacks
    unread: tuple[Unread, ...] = ()
    fingerprint_key: bytes = field(default=b"", repr=False)  # for secrets; per installation
