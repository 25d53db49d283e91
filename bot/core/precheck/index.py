"""Who applies to a change, and in what order (spec/precheck.md)."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from bot.core.model import DURABLE, Memory, MemoryStore, MemoryType
from bot.core.precheck.fields import MAX_STEMS
from bot.core.precheck.history import MAX_PLAN
from bot.core.precheck.links import LinkIndex
from bot.core.precheck.text import DEFAULTS, NO_HISTORY, TextIndex
from bot.core.quoting import opening
from bot.core.report import LinkHit, Match, TextHit
from bot.core.secrets import REDACTED, redacted
from bot.core.snapshot import History
from bot.core.thresholds import Thresholds
from bot.core.timestamps import instant

FEW_CHANGES: Final = 15  # fewer say nothing about which directories most changes touch

_BINDING_ORDER: Final = (
    MemoryType.CONSTRAINT,
    MemoryType.ATTEMPT,
    MemoryType.GOTCHA,
    MemoryType.DECISION,
)
_MAY_FOLD: Final = frozenset({MemoryType.DECISION, MemoryType.GOTCHA})
_NO_MEMORIES: Final = frozenset[str]()

_Key = tuple[str, str, str]  # of a memory: root of its store, path, id


class Index:
    """The binding memories of some stores, ready for the changes of many pull requests.

    It follows its stores from commit to commit by what differs between them, and finds then what
    a new one would find. Not for several threads at a time.
    """

    def __init__(self, stores: Sequence[MemoryStore] = ()) -> None:
        self._memories: dict[int, tuple[str, Memory]] = {}  # by number, with the root of its store
        self._numbers: dict[_Key, int] = {}
        self._stores: tuple[MemoryStore, ...] = ()
        self._size = 0
        self._links = LinkIndex()
        self._text = TextIndex()
        self.update(stores)

    def update(self, stores: Sequence[MemoryStore]) -> None:
        """Hold the memories of these stores, as they are there, and no others."""
        if len(stores) == len(self._stores) and all(map(_is, stores, self._stores)):
            return
        wanted = {
            (store.root, memory.path, memory.id): memory
            for store in stores
            for memory in store.active
            if memory.type in DURABLE
        }
        if (
            self._text.stems >= MAX_STEMS // 2
            or len(wanted.keys() & self._numbers.keys()) < len(self._numbers) // 2
        ):
            self._memories, self._numbers = {}, {}
            self._links, self._text = LinkIndex(), TextIndex()
        for key, number in list(self._numbers.items()):
            known = self._memories[number][1]
            if (memory := wanted.get(key)) is not known and memory != known:
                self._remove(key, number)
        free = iter(sorted(set(range(len(wanted))).difference(self._memories)))
        for key in sorted(wanted.keys() - self._numbers.keys()):
            self._add(key, next(free), wanted[key])
        self._links.stand(store.root for store in stores)
        self._stores = tuple(stores)
        bodies = sum(len(memory.body) for _, memory in self._memories.values())
        self._size = 2 * bodies + 1_500 * len(self._memories) + self._text.size

    def _add(self, key: _Key, number: int, memory: Memory) -> None:
        self._numbers[key] = number
        self._memories[number] = (key[0], memory)
        self._links.add(number, key[0], memory.links)
        self._text.add(number, memory)

    def _remove(self, key: _Key, number: int) -> None:
        del self._numbers[key]
        root, memory = self._memories.pop(number)
        self._links.remove(number, root, memory.links)
        self._text.remove(number)

    def matches(
        self,
        paths: Collection[str],
        plan: str,
        *,
        history: History = NO_HISTORY,
        old_paths: Collection[str] = (),
        thresholds: Thresholds = DEFAULTS,
        acknowledged: Collection[str] = _NO_MEMORIES,
    ) -> tuple[Match, ...]:
        """The memories that apply to a change, the most binding first.

        paths: from the repository's root. old_paths: former names of renamed files, whether or not
        paths has them too. plan: title and body of the pull request; "" when there is none.
        acknowledged: anchors of memories that are set aside on this pull request; they still apply.
        """

        def is_wide(directory: str) -> bool:
            touching = history.counts.get(directory, 0)
            return touching > thresholds.broad_share * max(FEW_CHANGES, history.changes)

        covered = self._links.look_up(paths, old_paths, is_wide)
        search = partial(
            self._text.search, history=history, thresholds=thresholds, linked=covered.hits.keys()
        )
        found = search(plan, {*paths, *old_paths})
        if found and (seen := _without_secrets(plan, {*paths, *old_paths})):
            found = search(*seen)
        said = {one.number: one.hit for one in found}
        pinned = {
            number
            for number, (root, memory) in self._memories.items()
            if memory.pinned
            and memory.type is MemoryType.CONSTRAINT
            and (not root or root in covered.roots)
        }
        matches = [
            self._match(
                number,
                pinned=number in pinned,
                links=covered.hits.get(number, ()),
                text=said.get(number),
                fold_below=thresholds.fold_below,
                acknowledged=acknowledged,
            )
            for number in covered.hits.keys() | said.keys() | pinned
        ]
        return tuple(sorted(matches, key=_order))

    def _match(
        self,
        number: int,
        *,
        pinned: bool,
        links: tuple[LinkHit, ...],
        text: TextHit | None,
        fold_below: float,
        acknowledged: Collection[str],
    ) -> Match:
        root, memory = self._memories[number]
        linked = bool(links) and (not links[0].broad or text is not None)
        spoken = text is not None and text.strength >= fold_below
        return Match(
            memory=memory,
            store=root,
            pinned=pinned,
            links=links,
            text=text,
            acknowledged=memory.anchor in acknowledged,
            weak=memory.type in _MAY_FOLD and not linked and not spoken,
        )

    @property
    def size(self) -> int:
        """Bytes that it takes, about; the memories themselves included."""
        return self._size + self._text.size_of_kept


def _without_secrets(plan: str, paths: Collection[str]) -> tuple[str, list[str]] | None:
    """What a change says without credentials, whose words a match would show; None for no change.

    It is asked for where something matches only, as the engine takes a moment to load.
    """
    told = opening(plan, MAX_PLAN), redacted("\n".join(sorted(paths)))
    if not any(REDACTED in text for text in told):
        return None
    said, touched = (text.replace(REDACTED, " ") for text in told)
    return said, touched.split("\n")


def precheck(
    stores: Sequence[MemoryStore],
    paths: Collection[str],
    plan: str,
    *,
    history: History = NO_HISTORY,
    old_paths: Collection[str] = (),
    thresholds: Thresholds = DEFAULTS,
    acknowledged: Collection[str] = _NO_MEMORIES,
) -> tuple[Match, ...]:
    """The memories that apply to one change, the most binding first; see Index.matches.

    Equal input gives equal output, in whatever order stores and paths come. Never raises.
    """
    return Index(stores).matches(
        paths,
        plan,
        history=history,
        old_paths=old_paths,
        thresholds=thresholds,
        acknowledged=acknowledged,
    )


def _is(one: object, other: object) -> bool:
    return one is other


def _order(match: Match) -> tuple[bool, int, int, int, float, float, str, str, str]:
    memory = match.memory
    kind, closeness = _kind(match)
    return (
        not match.pinned,
        _BINDING_ORDER.index(memory.type),
        kind,
        -closeness,
        -(match.text.strength if match.text else 0.0),
        -_newness(memory),
        memory.id,
        match.store,
        memory.path,
    )


def _newness(memory: Memory) -> float:
    """When an entry was written: of those of a file that only grows, the newest counts most."""
    moment = instant(memory.created) if memory.seal else None
    return moment.timestamp() if moment else 0.0


def _kind(match: Match) -> tuple[int, int]:
    """How close the closest reason is, 0 being the closest, and how deep its directory lies."""
    closest = match.links[0] if match.links else None
    if closest and closest.exact:
        return 0, 0
    if closest and not closest.broad:
        return 1, closest.depth
    if match.text:
        return 2, 0
    return 3, closest.depth if closest else 0
