"""Which links cover which changed paths (spec/memoryrail.md, "Precheck" and "Fields").

A link covers the path it names and all below it. Both are compared part by part, letter case
counts, and a name is the same in each of its Unicode forms. All stores above a path are asked: a
new store further down must not take the rules of those above it away.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.core.model import Memory
from bot.core.report import LinkHit
from bot.core.unicode import composed

MAX_HITS: Final = 20  # per memory, the closest ones; more explain nothing more


def parts_of(path: str) -> tuple[str, ...] | None:
    """The parts of a relative POSIX path with `.` and `..` worked out; () is the root itself.

    None when it leads out of its root, is absolute or empty.
    """
    if not path or path.startswith("/"):
        return None
    parts: list[str] = []
    for part in composed(path).split("/"):
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

    def __init__(self, roots: Iterable[str], memories: Iterable[tuple[str, Memory]]) -> None:
        """roots: of all stores. memories: each with its store's root; they are numbered from 0."""
        self._top = _Node()
        for root in roots:
            self._top.reach(parts_of(root) or ()).root = root
        for number, (root, memory) in enumerate(memories):
            for link in dict.fromkeys(memory.links):
                if (parts := parts_of(link)) is not None:
                    node = self._top.reach((*(parts_of(root) or ()), *parts))
                    entry = _Entry(number=number, link=link, depth=len(parts))
                    node.entries.setdefault(root, []).append(entry)

    def look_up(self, paths: Collection[str], old_paths: Collection[str]) -> Covered:
        """What the paths meet; a link is hit once, by its own path or else the first one below.

        old_paths: former names of renamed files; a current name explains a hit better.
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
                way = (depth < len(parts), path in former, path)
                for root in above & node.entries.keys():
                    met[node, root] = min(met.get((node, root), way), way)
        found: dict[int, list[LinkHit]] = {}
        for (node, root), (inexact, renamed, path) in met.items():
            for entry in node.entries[root]:
                hit = LinkHit(
                    path=path,
                    link=entry.link,
                    exact=not inexact,
                    depth=entry.depth,
                    renamed_from=renamed,
                )
                found.setdefault(entry.number, []).append(hit)
        closest = {n: tuple(sorted(hits, key=_distance)[:MAX_HITS]) for n, hits in found.items()}
        return Covered(roots=frozenset(roots), hits=closest)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    number: int
    link: str
    depth: int


@dataclass(slots=True, eq=False)
class _Node:
    """A directory or file that a link or a store's root names, or that lies above one."""

    below: dict[str, "_Node"] = field(default_factory=dict)
    root: str | None = None  # of the store that stands here
    entries: dict[str, list[_Entry]] = field(default_factory=dict)  # by root of their store

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


def _distance(hit: LinkHit) -> tuple[bool, int, bool, str, str]:
    return (not hit.exact, -hit.depth, hit.renamed_from, hit.path, hit.link)
