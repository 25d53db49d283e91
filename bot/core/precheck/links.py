"""Which links cover which changed paths (spec/memoryrail.md, "Precheck" and "Fields").

A link covers the path it names and all below it. Both are compared part by part, letter case
counts, and a name is the same in each of its Unicode forms. All stores above a path are asked: a
new store further down must not take the rules of those above it away.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.core.report import LinkHit
from bot.core.unicode import composed

TOP: Final = 1  # parts of a link to a directory that is too wide to say much alone
_ODD: Final = frozenset({"", ".", ".."})  # parts that name nothing by themselves
MAX_HITS: Final = 20  # per memory, the closest ones; more explain nothing more


def parts_of(path: str) -> tuple[str, ...] | None:
    """The parts of a relative POSIX path with `.` and `..` worked out; () is the root itself.

    None when it leads out of its root, is absolute or empty.
    """
    if not path or path.startswith("/"):
        return None
    named = composed(path).split("/")
    if _ODD.isdisjoint(named):  # as nearly all are
        return tuple(named)
    parts: list[str] = []
    for part in named:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return tuple(parts)


def covers(link: str, path: str) -> bool:
    """Whether a link is the path or a directory that contains it; both from the same root."""
    above, below = parts_of(link), parts_of(path)
    return above is not None and below is not None and below[: len(above)] == above


def covering(path: str, among: Collection[str]) -> tuple[str, ...]:
    """Those of some paths that are a path or a directory above it, the closest first.

    All are without dots and in composed Unicode; "" is the root. among is best a set.
    """
    found = [path] if path in among else []
    end = path.rfind("/")
    while end > 0:
        if path[:end] in among:
            found.append(path[:end])
        end = path.rfind("/", 0, end)
    return (*found, "") if path and "" in among else tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What a set of changed paths meets."""

    roots: frozenset[str]  # of the stores that stand above one of them
    hits: dict[int, tuple[LinkHit, ...]]  # number of a memory -> its hits, the closest first


class LinkIndex:
    """The links of all memories as one tree of path parts.

    A path walks down it once, so a look-up costs the same for ten memories and ten thousand.
    """

    def __init__(self) -> None:
        self._top = _Node()
        self._roots: tuple[_Node, ...] = ()

    def stand(self, roots: Iterable[str]) -> None:
        """Let stores stand at these roots, and at no others."""
        for node in self._roots:
            node.root = None
        found = []
        for root in roots:
            node = self._top.reach(parts_of(root) or ())
            node.root = root
            found.append(node)
        self._roots = tuple(found)

    def add(self, number: int, root: str, links: Iterable[str]) -> None:
        """Take in the links of a memory of the store at root, under a number that is free."""
        for link, parts in _parts_of_each(links):
            node = self._top.reach((*(parts_of(root) or ()), *parts))
            node.entries.setdefault(root, {})[number, link] = len(parts)

    def remove(self, number: int, root: str, links: Iterable[str]) -> None:
        """Forget the links of a memory, given as they were added."""
        for link, parts in _parts_of_each(links):
            node = self._top.reach((*(parts_of(root) or ()), *parts))
            del node.entries[root][number, link]
            if not node.entries[root]:
                del node.entries[root]

    def look_up(
        self,
        paths: Collection[str],
        old_paths: Collection[str],
        is_wide: Callable[[str], bool] = lambda _: False,
    ) -> Covered:
        """What the paths meet; a link is hit once, by its own path or else the first one below.

        old_paths: former names of renamed files; a current name explains a hit better. is_wide:
        whether most changes touch a directory, given by its path with a slash at the end.
        """
        former = frozenset(old_paths)
        roots: set[str] = set()
        met: dict[tuple[_Node, str], tuple[bool, bool, str]] = {}
        for path in {*paths, *former}:
            parts = parts_of(path) or ()
            trail = list(self._top.walk(parts))
            above = {node.root for node in trail[: len(parts)] if node.root is not None}
            roots |= above
            for depth, node in enumerate(trail):
                if not node.entries:
                    continue
                way = (depth < len(parts), path in former, path)
                for root in above & node.entries.keys():
                    met[node, root] = min(met.get((node, root), way), way)
        found: dict[int, list[LinkHit]] = {}
        for (node, root), (inexact, renamed, path) in met.items():
            for (number, link), depth in node.entries[root].items():
                hit = LinkHit(
                    path=path,
                    link=link,
                    exact=not inexact,
                    depth=depth,
                    broad=inexact and (depth <= TOP or is_wide(_directory(root, link))),
                    renamed_from=renamed,
                )
                found.setdefault(number, []).append(hit)
        closest = {n: tuple(sorted(hits, key=_distance)[:MAX_HITS]) for n, hits in found.items()}
        return Covered(roots=frozenset(roots), hits=closest)


def _parts_of_each(links: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The links that name something inside, each once."""
    for link in dict.fromkeys(links):
        if (parts := parts_of(link)) is not None:
            yield link, parts


def _directory(root: str, link: str) -> str:
    return "".join(f"{part}/" for part in (*(parts_of(root) or ()), *(parts_of(link) or ())))


@dataclass(slots=True, eq=False)
class _Node:
    """A directory or file that a link or a store's root names, or that lies above one."""

    below: dict[str, "_Node"] = field(default_factory=dict)
    root: str | None = None  # of the store that stands here
    # By root of the store, then by number of the memory and link as written: the link's depth.
    entries: dict[str, dict[tuple[int, str], int]] = field(default_factory=dict)

    def reach(self, parts: tuple[str, ...]) -> "_Node":
        """The node at a path below this one, made if need be."""
        node = self
        for part in parts:
            node = node.below.setdefault(part, _Node())
        return node

    def walk(self, parts: tuple[str, ...]) -> Iterator["_Node"]:
        """This node and those below it on the way of a path, as far as there are any."""
        node = self
        yield node
        for part in parts:
            if part not in node.below:
                return
            node = node.below[part]
            yield node


def _distance(hit: LinkHit) -> tuple[bool, bool, int, bool, str, str]:
    return (not hit.exact, hit.broad, -hit.depth, hit.renamed_from, hit.path, hit.link)
