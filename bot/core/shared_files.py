"""Memories that share files with others, on both sides of a pull request, looked up once.

A file of them only grows, so what the head lacks is either taken away or what the base has gained
since the branch began (spec/cursor.md, "On pull requests").
"""

from collections.abc import Mapping, Sequence

from bot.core.model import Memory
from bot.core.snapshot import Side, Snapshot


class SharedFiles:
    """The memories of files that hold several."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._before, self._after = _by_file(snapshot.base), _by_file(snapshot.head)
        self._shrunk = {
            path
            for file in snapshot.files
            for path in file.paths
            if file.removed != 0 or file.path != path
        }
        # Id and seal of what stands on both sides, wherever: moved as it is, it is not changed.
        self.staying = _sealed(self._before) & _sealed(self._after)

    def before(self, path: str) -> Sequence[Memory]:
        """What the base has in a file, in the order in which it stands there."""
        return self._before.get(path, ())

    def after(self, path: str) -> Sequence[Memory]:
        """What the head has in a file, likewise."""
        return self._after.get(path, ())

    def takes_out(self, path: str) -> bool:
        """Whether the pull request may take lines out of a file of the base, or all of it."""
        return path in self._shrunk

    def taken_away(self, old_path: str, path: str) -> frozenset[str]:
        """Ids of a file's memories that the file, at path now, lacks by the pull request.

        What it lacks else, the base has gained meanwhile. Also lines that are only added may have
        an entry read otherwise: the line of its id then still stands there.
        """
        there = {memory.id for memory in self.after(path)}
        lacks = [one for one in self.before(old_path) if one.id not in there]
        if lacks and not self.takes_out(old_path):
            lines = _lines(self._snapshot.base, old_path)
            still = set(_lines(self._snapshot.head, path))
            lacks = [one for one in lacks if not still.isdisjoint(_id_line(one, lines))]
        return frozenset(one.id for one in lacks)


def by_id(memories: Sequence[Memory]) -> dict[str, Memory]:
    """Memories by their ids, in order; of several with one id the last."""
    return {memory.id: memory for memory in memories}


def _by_file(side: Side) -> Mapping[str, Sequence[Memory]]:
    found: dict[str, list[Memory]] = {}
    for store in side.stores:
        for memory in store.memories if store.only_appended else ():
            found.setdefault(memory.path, []).append(memory)
    for memories in found.values():
        memories.sort(key=lambda one: one.lines.get("id", 1))
    return found


def _sealed(files: Mapping[str, Sequence[Memory]]) -> frozenset[tuple[str, str]]:
    return frozenset((one.id, one.seal) for memories in files.values() for one in memories)


def _lines(side: Side, path: str) -> Sequence[bytes]:
    file = side.memory_file(path)
    return ((file and file.data) or b"").splitlines()


def _id_line(memory: Memory, lines: Sequence[bytes]) -> Sequence[bytes]:
    line = memory.lines.get("id", 1)
    return lines[line - 1 : line]
