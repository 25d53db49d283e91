"""Who applies to a change, and in what order (spec/memoryrail.md, "Precheck")."""

from collections.abc import Collection, Sequence
from typing import Final

from bot.core.model import DURABLE, MemoryStore, MemoryType
from bot.core.precheck.links import LinkIndex
from bot.core.precheck.text import NO_HISTORY, TextIndex
from bot.core.report import LinkHit, Match
from bot.core.snapshot import History

BROAD_DEPTH: Final = 1  # parts of a link to a directory that is too wide to say much alone

_BINDING_ORDER: Final = (
    MemoryType.CONSTRAINT,
    MemoryType.ATTEMPT,
    MemoryType.GOTCHA,
    MemoryType.DECISION,
)


class Index:
    """The binding memories of some stores, ready for the changes of many pull requests."""

    def __init__(self, stores: Sequence[MemoryStore]) -> None:
        self._memories = sorted(
            (
                (store.root, memory)
                for store in stores
                for memory in store.active
                if memory.type in DURABLE
            ),
            key=lambda pair: (pair[0], pair[1].id, pair[1].path),
        )
        self._links = LinkIndex((store.root for store in stores), self._memories)
        self._text = TextIndex([memory for _, memory in self._memories])

    def matches(
        self,
        paths: Collection[str],
        plan: str,
        *,
        history: History = NO_HISTORY,
        old_paths: Collection[str] = (),
    ) -> tuple[Match, ...]:
        """The memories that apply to a change, the most binding first.

        paths: from the repository's root. old_paths: former names of renamed files, whether or not
        paths has them too. plan: title and body of the pull request; "" when there is none.
        """
        covered = self._links.look_up(paths, old_paths)
        said = {
            found.number: found.hit
            for found in self._text.search(plan, {*paths, *old_paths}, history)
        }
        pinned = {
            number
            for number, (root, memory) in enumerate(self._memories)
            if memory.pinned
            and memory.type is MemoryType.CONSTRAINT
            and (not root or root in covered.roots)
        }
        matches = [
            Match(
                memory=self._memories[number][1],
                store=self._memories[number][0],
                pinned=number in pinned,
                links=covered.hits.get(number, ()),
                text=said.get(number),
            )
            for number in covered.hits.keys() | said.keys() | pinned
        ]
        return tuple(sorted(matches, key=_order))


def precheck(
    stores: Sequence[MemoryStore],
    paths: Collection[str],
    plan: str,
    *,
    history: History = NO_HISTORY,
    old_paths: Collection[str] = (),
) -> tuple[Match, ...]:
    """The memories that apply to one change, the most binding first; see Index.matches.

    Equal input gives equal output, in whatever order stores and paths come. Never raises.
    """
    return Index(stores).matches(paths, plan, history=history, old_paths=old_paths)


def is_broad(hit: LinkHit) -> bool:
    """Whether a link hit alone says little: the link names a top folder or the root itself."""
    return not hit.exact and hit.depth <= BROAD_DEPTH


def _order(match: Match) -> tuple[bool, int, int, int, float, str, str, str]:
    memory = match.memory
    kind, closeness = _kind(match)
    return (
        not match.pinned,
        _BINDING_ORDER.index(memory.type),
        kind,
        -closeness,
        -(match.text.strength if match.text else 0.0),
        memory.id,
        match.store,
        memory.path,
    )


def _kind(match: Match) -> tuple[int, int]:
    """How close the closest reason is, 0 being the closest, and how deep its directory lies."""
    closest = match.links[0] if match.links else None
    if closest and closest.exact:
        return 0, 0
    if closest and not is_broad(closest):
        return 1, closest.depth
    if match.text:
        return 2, 0
    return 3, closest.depth if closest else 0
