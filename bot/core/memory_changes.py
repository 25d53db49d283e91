"""What a pull request does to memories: every memory file that it adds, changes or removes.

A store is its directory and the file that makes it one. A pull request that adds or removes that
file adds or removes all its memories, whether or not it touches them.
"""

from collections.abc import Iterator

from bot.core.agents import is_agent, is_by_agent
from bot.core.model import Memory
from bot.core.report import ChangeKind, MemoryChange
from bot.core.shared_files import SharedFiles, by_id
from bot.core.snapshot import Side, Snapshot


def memory_changes(snapshot: Snapshot) -> tuple[MemoryChange, ...]:
    """Every change to a memory file, by path. What only the base has changed meanwhile is none."""
    agents, shared = _Agents(snapshot), SharedFiles(snapshot)
    changes = [
        change
        for old_path, path in _touched_files(snapshot)
        for change in _changes(old_path, path, snapshot, agents, shared)
    ]
    return tuple(sorted(changes, key=lambda change: change.path))


def _touched_files(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """The old and the new path of each file that may be a memory's."""
    touched = {path for file in snapshot.files for path in file.paths}
    told = set()
    for file in snapshot.files:
        old_path = file.paths[-1]
        leaves = old_path != file.path and snapshot.base.memory_file(old_path) is not None
        arrives = snapshot.head.memory_file(file.path) is not None
        if leaves and not arrives:  # it becomes something else than a memory
            yield old_path, old_path
        else:
            yield old_path if leaves else file.path, file.path
        told |= {old_path, file.path}
    for side, other in ((snapshot.base, snapshot.head), (snapshot.head, snapshot.base)):
        for store in side.stores:
            if store.config in touched and other.store_like(store) is None:
                yield from ((path, path) for path in store.files if path not in told)


def _changes(
    old_path: str, path: str, snapshot: Snapshot, agents: "_Agents", shared: SharedFiles
) -> Iterator[MemoryChange]:
    was, is_ = snapshot.base.memory_file(old_path), snapshot.head.memory_file(path)
    if was is None and is_ is None:
        return
    if was is not None and is_ is not None and was.oid == is_.oid and old_path == path:
        return
    store = snapshot.head.store_with(path) or snapshot.base.store_with(old_path)
    if store is not None and store.only_appended:
        yield from _of_entries(old_path, path, agents, shared)
    else:
        yield _of_file(old_path, path, snapshot, agents)


def _of_entries(
    old_path: str, path: str, agents: "_Agents", shared: SharedFiles
) -> Iterator[MemoryChange]:
    """What a pull request does to each memory of a file that holds several.

    One that moves to another file as it is, to an archive, is not changed.
    """
    before, after = by_id(shared.before(old_path)), by_id(shared.after(path))
    gone = shared.taken_away(old_path, path)
    for id_ in sorted(before.keys() | after.keys()):
        old, new = before.get(id_), after.get(id_)
        if all(one is None or (id_, one.seal) in shared.staying for one in (old, new)):
            continue
        if new is None and id_ not in gone:
            continue  # the base has gained it meanwhile
        kind = ChangeKind.CHANGED
        if old is None or new is None:
            kind = ChangeKind.ADDED if old is None else ChangeKind.REMOVED
        yield MemoryChange(
            kind=kind,
            path=path,
            before=old,
            after=new,
            by_agent=agents.touched(old_path, path),
            self_reviewed=_is_self_reviewed(old_path, old, new, agents),
        )


def _of_file(old_path: str, path: str, snapshot: Snapshot, agents: "_Agents") -> MemoryChange:
    was, is_ = snapshot.base.memory_file(old_path), snapshot.head.memory_file(path)
    kind = ChangeKind.CHANGED
    if was is None or is_ is None:
        kind = ChangeKind.ADDED if was is None else ChangeKind.REMOVED
    before, after = snapshot.base.memory(old_path), snapshot.head.memory(path)
    return MemoryChange(
        kind=kind,
        path=path,
        before=before,
        after=after,
        by_agent=agents.touched(old_path, path),
        self_reviewed=_is_self_reviewed(old_path, before, after, agents),
        supersedes=_named(after.supersedes if after else None, path, snapshot.head),
        superseded_by=_named(after.superseded_by if after else None, path, snapshot.head),
    )


def _is_self_reviewed(
    old_path: str, before: Memory | None, after: Memory | None, agents: "_Agents"
) -> bool:
    """Whether an agent wrote that a person stands behind a memory, where it did not say so."""
    if after is None or not after.vouched or (before is not None and before.vouched):
        return False
    # Of several memories in a file, the line of the id alone is one's own.
    return agents.wrote(old_path, after, "id" if after.seal else after.vouched)


def _named(id_: str | None, path: str, side: Side) -> Memory | None:
    """The memory with an id in the store that holds the memory file at path."""
    stores = (store for store in side.stores if id_ and path in store.files)
    named = (memory for store in stores for memory in store.memories if memory.id == id_)
    return next(named, None)


class _Agents:
    """Which paths the agents' commits of a pull request touch, and which lines they add."""

    def __init__(self, snapshot: Snapshot) -> None:
        agents, pull = snapshot.settings.agents, snapshot.pull
        self._commits = [
            (commit, not commit.is_ours and is_by_agent(commit, pull, agents))
            for commit in snapshot.commits
        ]
        commits = [commit for commit, by_agent in self._commits if by_agent]
        self._snapshot = snapshot
        self._wrote: dict[str, tuple[bool, ...]] = {}  # path -> for each line at the head
        self._paths = frozenset(path for commit in commits for path in commit.paths)
        # Where a commit's paths are not known, it may have touched any.
        self._any = any(not commit.paths_known for commit in commits) or (
            is_agent(pull.author, agents) and not snapshot.commits
        )

    def touched(self, *paths: str) -> bool:
        """Whether an agent touched one of some paths, or what makes their directory a store."""
        configs = {
            store.config
            for side in (self._snapshot.base, self._snapshot.head)
            for store in side.stores
            if any(path in store.files for path in paths)
        }
        return self._any or not self._paths.isdisjoint({*paths, *configs})

    def wrote(self, old_path: str, memory: Memory, field: str) -> bool:
        """Whether an agent wrote the line of a field: whoever added it last.

        Where no commit shows it, whether an agent touched the file.
        """
        if not (self._any or not self._paths.isdisjoint({old_path, memory.path})):
            return False
        if memory.path not in self._wrote:
            self._wrote[memory.path] = self._by_line(memory.path)
        number = memory.lines.get(field, 1)
        return all(self._wrote[memory.path][number - 1 : number])

    def _by_line(self, path: str) -> tuple[bool, ...]:
        added = {
            line.strip(): by_agent
            for commit, by_agent in self._commits  # the oldest first
            if not commit.is_merge  # which brings what others wrote
            for block in commit.added
            if block.path == path
            for line in block.text.split("\n")
        }
        file = self._snapshot.head.memory_file(path)
        lines = ((file and file.data) or b"").splitlines()
        return tuple(added.get(line.decode("utf-8", "replace").strip(), True) for line in lines)
