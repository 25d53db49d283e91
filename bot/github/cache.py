"""What jobs share in memory, each part bounded: nothing here is needed for a right answer.

Blobs and commits are named by the hash of their content, so they never go stale and may serve
every installation.
"""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from bot.core.model import MemoryStore
from bot.core.report import Unread
from bot.core.snapshot import Actor, ChangedFile

MAX_BYTES: Final = 96 << 20  # of all parts together
_OVERHEAD: Final = 200  # bytes that Python needs for an entry, about

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Bounded(Generic[Key, Value]):
    """A mapping that forgets what was used longest ago when it grows beyond max_bytes."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """The value, now the most recently used; None when it is not there."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: Key, value: Value, size: int) -> None:
        """Keep a value of about size bytes; one that is larger than all room is not kept."""
        _, known = self._entries.pop(key, (None, 0))
        self._bytes -= known
        size += _OVERHEAD
        if size > self._max_bytes:
            return
        self._entries[key] = (value, size)
        self._bytes += size
        while self._bytes > self._max_bytes:
            _, (_, freed) = self._entries.popitem(last=False)
            self._bytes -= freed

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitDiff:
    """What one commit changes against its first parent; of a merge, against all its parents."""

    files: tuple[ChangedFile, ...]
    parents: int = 1
    author: Actor | None = None
    unread: tuple[Unread, ...] = ()
    is_complete: bool = True  # False: it touches more paths than are known


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPull:
    """What an earlier reading of a pull request lets the next one ask for at once."""

    roots: tuple[str, ...]  # where stores were looked for
    stores: tuple[str, ...]  # where some were found
    comment: str | None  # node id of our comment
    commits: int
    folders: tuple[str, ...] = ()  # in which those have files beyond their marks


@dataclass(frozen=True, slots=True, kw_only=True)
class PullKey:
    """A pull request by the names of the moment: after a rename the cache is merely cold."""

    installation: int
    full_name: str
    number: int


class Cache:
    """The parts of the cache."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.media: Bounded[str, str] = Bounded(1 << 20)  # words in pictures and the like
        self.blobs: Bounded[str, bytes] = Bounded(max_bytes // 3)
        self.commits: Bounded[str, CommitDiff] = Bounded(max_bytes // 3)
        self.stores: Bounded[Hashable, MemoryStore | None] = Bounded(max_bytes // 4)
        self.pulls: Bounded[PullKey, KnownPull] = Bounded(max_bytes // 12)
