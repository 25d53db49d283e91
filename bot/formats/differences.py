"""What only shows when a commit's memory is compared with what stood there before it.

Each format says what may not change; one that has no such rule of its own leaves it to bot/core.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from bot.core.model import MemoryStore, Problem
from bot.core.snapshot import ChangedFile, Side
from bot.formats import jumpybrain

Compare: TypeAlias = Callable[
    [MemoryStore | None, MemoryStore | None, Sequence[ChangedFile]], tuple[Problem, ...]
]

_COMPARE: Final[Mapping[str, Compare]] = {jumpybrain.NAME: jumpybrain.compare}


def differences(base: Side, head: Side, files: Sequence[ChangedFile]) -> tuple[Problem, ...]:
    """What a change does to the stores of either side that its format forbids, or wants said.

    files: that the change touches; whatever else differs is the base's own doing. By path and line.
    """
    stores = {store.key: store for side in (base, head) for store in side.stores}
    found = {
        problem
        for store in stores.values()
        if (compare := _COMPARE.get(store.format)) is not None
        for problem in compare(base.store_like(store), head.store_like(store), files)
    }
    return tuple(sorted(found))
