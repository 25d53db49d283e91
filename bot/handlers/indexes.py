"""The indexes of repositories' memories, kept in memory as long as there is room.

Each follows the base branch that it was made for: what a commit changed is taken in, the rest
stays. Nothing here is needed for a right answer.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from bot.core.model import MemoryStore
from bot.core.precheck import Index
from bot.core.report import Report
from bot.core.review import review
from bot.core.snapshot import Snapshot


class Indexes:
    """Indexes by whatever names a branch; the one used longest ago goes first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[Hashable, tuple[Index, int]] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def of(self, key: Hashable, stores: Sequence[MemoryStore]) -> Iterator[Index]:
        """An index of these stores, for the caller alone while the block lasts.

        Of two that ask for the same key at a time, the second gets a new one.
        """
        with self._lock:
            index, _ = self._kept.pop(key, (None, 0))
        if index is None:
            index = Index(stores)
        else:
            index.update(stores)
        yield index
        size = index.size  # what fails in between is not kept
        with self._lock:
            self._kept[key] = (index, size)
            self._kept.move_to_end(key)
            while self.size > self._max_bytes:
                self._kept.popitem(last=False)

    def review(self, snapshot: Snapshot) -> Report:
        """Review a change with the index of its base branch."""
        branch = (snapshot.repository.id, snapshot.pull.base_ref)
        with self.of(branch, snapshot.base.stores) as index:
            return review(snapshot, index)

    @property
    def size(self) -> int:
        """Bytes of all that are kept, about."""
        return sum(size for _, size in self._kept.values())

    def __len__(self) -> int:
        return len(self._kept)
