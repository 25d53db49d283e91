"""How stale a project's links are, from its working tree and git (spec/memoryrail.md, "Staleness").

What stands at a link is asked of the working tree, committed or not; when it last changed, of the
history of HEAD. Nothing is written, and nothing of the repository is run.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.core.errors import GitError
from bot.core.model import Memory, Status
from bot.core.precheck import parts_of
from bot.core.stale_links import LastCommit, Linked, StaleLink, Undecided, judge
from bot.core.staleness import new_names
from bot.git.diff import Pair, renames
from bot.git.history import History, Progress, present, walk
from bot.git.repository import LocalRepository
from bot.git.working_tree import Spot, WorkingTree, spelled

_MAX_RENAMES: Final = 10  # of one path, one after the other
_MAX_COMMITS: Final = 1_000  # to look for renames in, at each step


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """What is known of the links of the active memories."""

    stale: tuple[StaleLink, ...]  # by id of the memory, the links of one in the order of its file
    unknown: str | None = None  # why not all links were compared with history; None: all were


def staleness(
    root: Path, memories: Iterable[Memory], *, progress: Progress | None = None
) -> Staleness:
    """Judge the links of the active ones of a store's memories.

    root: the directory that holds the store, absolute and without symlinks.
    Without a git repository, links are looked up in that directory alone, and `unknown` says so.
    Raises GitError when git fails on the way.
    """
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    try:
        repository, top = _repository(root)
    except GitError as error:
        looked_up = _look_up(active, WorkingTree(root), ())
        linked = {link: _linked(spot, {}, {}) for link, spot in looked_up.items()}
        return Staleness(stale=judge(active, linked)[0], unknown=str(error))
    found = _Search(repository, top, root, progress).links(active)
    stale, undecided = judge(active, found)
    return Staleness(stale=stale, unknown=_cut(undecided) if undecided else None)


def _repository(root: Path) -> tuple[LocalRepository, Path]:
    """The repository whose working tree a directory lies in, and the top of that."""
    repository = LocalRepository.discover(root)
    top = repository.top
    if top is None or not root.is_relative_to(top):
        raise GitError(f"{root} is not in the working tree of its git repository")
    return repository, top


class _Search:
    """The links of one store in one repository."""

    def __init__(
        self, repository: LocalRepository, top: Path, root: Path, progress: Progress | None
    ) -> None:
        self._repository, self._tree, self._progress = repository, WorkingTree(top), progress
        below = spelled(bytes(root.relative_to(top)))
        self._prefix = parts_of(below) or ()

    def links(self, memories: Iterable[Memory]) -> dict[str, Linked]:
        """What stands at each link."""
        spots = _look_up(memories, self._tree, self._prefix)
        head = self._repository.head()
        if head is None:  # no commit yet
            return {link: _linked(spot, {}, {}) for link, spot in spots.items()}
        paths = frozenset(path for spot in spots.values() for path in spot.paths)
        committed = present(self._repository, head, paths)
        gone = _gone(spots)
        if gone & committed and self._repository.is_sparse:  # then it need not be on disk
            spots = {link: _or_committed(spot, committed) for link, spot in spots.items()}
            gone = _gone(spots)
        removed = gone - committed  # what is gone and still committed was not removed by a commit
        history = walk(
            self._repository, head, committed - gone, gone=removed, progress=self._progress
        )
        renamed = self._renamed(removed, history)
        return {link: _linked(spot, history.last, renamed) for link, spot in spots.items()}

    def _renamed(self, gone: Iterable[str], history: History) -> dict[str, str]:
        """Where paths are now that were renamed, however often: as a link of the store spells it.

        A hint, so what is not found within bounds, or stands beside the store, is left out.
        """
        found: dict[str, str] = {}
        sought = {path: {path} for path in gone}  # a name -> the paths that had it in the end
        for _ in range(_MAX_RENAMES):
            removals: dict[Pair, set[str]] = {}
            for name in sorted(sought):  # within bounds always the same ones
                if pair := history.removed.get(name):
                    removals.setdefault(pair, set()).add(name)
            if not removals:
                break
            later: dict[str, set[str]] = {}
            for name, new in self._new_names(removals).items():
                parts = parts_of(new) or ()
                if not self._tree.look(parts).is_there:
                    later.setdefault(new, set()).update(sought[name])
                elif parts[: len(self._prefix)] == self._prefix:
                    link = "/".join(parts[len(self._prefix) :]) or "."
                    found.update(dict.fromkeys(sought[name], link))
            sought = later
        return found

    def _new_names(self, removals: Mapping[Pair, Collection[str]]) -> dict[str, str]:
        pairs = list(removals)[:_MAX_COMMITS]
        try:
            diffs = renames(self._repository, pairs)
        except GitError:  # a partial clone lacks the contents that would tell
            return {}
        parents = dict(pairs)
        return {
            name: new
            for diff in diffs
            for name, new in new_names(removals[diff.sha, parents[diff.sha]], diff.files).items()
        }


def _look_up(
    memories: Iterable[Memory], tree: WorkingTree, prefix: tuple[str, ...]
) -> dict[str, Spot]:
    """What stands at each link; not at those that lead out by what they say."""
    links = {link for memory in memories for link in memory.links}
    return {
        link: tree.look((*prefix, *parts))
        for link in sorted(links)
        if (parts := parts_of(link)) is not None
    }


def _gone(spots: Mapping[str, Spot]) -> frozenset[str]:
    return frozenset(path for spot in spots.values() if not spot.is_there for path in spot.paths)


def _or_committed(spot: Spot, committed: frozenset[str]) -> Spot:
    is_there = spot.is_there or (not spot.is_outside and not committed.isdisjoint(spot.paths))
    return replace(spot, is_there=is_there)


def _linked(spot: Spot, last: Mapping[str, LastCommit], renamed: Mapping[str, str]) -> Linked:
    return Linked(
        is_there=spot.is_there,
        is_outside=spot.is_outside,
        commits=tuple(last[path] for path in spot.paths if path in last),
        renamed_to=next((renamed[path] for path in spot.paths if path in renamed), None),
    )


def _cut(undecided: Sequence[Undecided]) -> str:
    links = "1 link" if len(undecided) == 1 else f"{len(undecided)} links"
    return (
        f"the history of this shallow clone ends too early to judge {links}; fetch more "
        "(git fetch --unshallow, or fetch-depth: 0 in a workflow)"
    )
