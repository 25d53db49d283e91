"""Files that hold many memories and only grow: what a pull request must leave as it is.

An entry is never edited, moved or taken away once the base has it; what it says is set right by a
new one that links to it (spec/cursor.md, "On pull requests"). One that moves to another file of its
store as it is, to an archive, stays.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from bot.core.model import Memory, MemoryStore
from bot.core.report import Finding, Section, Weight
from bot.core.shared_files import SharedFiles, by_id
from bot.core.snapshot import ChangedFile, Snapshot

_INSTEAD: Final = "Put it back as it was, and append an entry that links to it."
_TASK: Final = re.compile(r"([0-9]+-[0-9]+)-[a-z]")  # with which ids begin by convention


def append_only_findings(snapshot: Snapshot) -> Iterator[Finding]:
    """What the pull request does to entries that the base has, and what its own ones lack."""
    shared = SharedFiles(snapshot)
    known = {memory.id for store in snapshot.base.stores for memory in store.memories}
    kept = {
        store.key: {(one.id, one.seal) for one in store.memories} for store in snapshot.head.stores
    }
    for file in snapshot.files:
        old_path = file.paths[-1]
        store = snapshot.base.store_with(old_path) or snapshot.head.store_with(file.path)
        if store is not None and store.only_appended:
            stays = kept.get(store.key, ())
            lost = [one for one in shared.before(old_path) if (one.id, one.seal) not in stays]
            yield from _changed(file, lost, shared)
            if lost and not shared.takes_out(old_path) and not snapshot.pull.merges:
                yield from _conflict(file, shared)
            yield from _order(file, shared, known)
    for store in snapshot.head.stores:
        if store.only_appended:
            yield from _tasks(store, known)
            yield from _in_public(store, snapshot)


def _changed(file: ChangedFile, lost: Sequence[Memory], shared: SharedFiles) -> Iterator[Finding]:
    """Entries of the base that the head does not have as they were."""
    old_path, after = file.paths[-1], by_id(shared.after(file.path))
    removes, lacks = shared.takes_out(old_path), shared.taken_away(old_path, file.path)
    gone = [old.id for old in lost if old.id in lacks]
    if gone:
        more = f" and {len(gone) - 1} more are" if len(gone) > 1 else " is"
        yield _finding(file, "entry-removed", f"Entry {gone[0]}{more} taken away. {_INSTEAD}")
    for old in lost:
        new = after.get(old.id)
        if new is not None and removes:
            yield _finding(file, "entry-edited", f"Entry {old.id} is edited. {_INSTEAD}", new)
        elif new is not None:
            message = (
                f"The base branch has another entry {old.id}. If lines were added to it here, take "
                "them out. If it was gained there meanwhile, give this one another id: "
                "`/memoryrail reappend` does, or `memoryrail-bot cursor reappend` in a merge."
            )
            yield _finding(file, "duplicate-id", message, new)


def _conflict(file: ChangedFile, shared: SharedFiles) -> Iterator[Finding]:
    """That both branches have appended, and how that is mended."""
    before = {(one.id, one.seal) for one in shared.before(file.paths[-1])}
    own = [new for new in shared.after(file.path) if (new.id, new.seal) not in before]
    if own:
        message = (
            "The base branch has appended here, too, and the two conflict. `/memoryrail reappend` "
            "merges it, and puts the entries of this branch behind those of the base."
        )
        yield _finding(file, "append-conflict", message, own[0], weight=Weight.WARNING)


def _order(file: ChangedFile, shared: SharedFiles, known: Collection[str]) -> Iterator[Finding]:
    """Entries that the base has in another order, and new ones above those that it has."""
    places = {id_: place for place, id_ in enumerate(by_id(shared.before(file.paths[-1])))}
    after = list(by_id(shared.after(file.path)))
    at_head = [places[id_] for id_ in after if id_ in places]
    if at_head != sorted(at_head):
        yield _finding(
            file, "entries-reordered", "Entries of the base stand in another order. Put them back."
        )
    last = max((place for place, id_ in enumerate(after) if id_ in places), default=-1)
    inserted = [id_ for id_ in after[: last + 1] if id_ not in known]
    if inserted:
        message = (
            f"Entry {inserted[0]} stands above older ones, and the last one counts most. Move it "
            "to the end."
        )
        yield _finding(file, "entry-inserted", message, weight=Weight.WARNING)


def _tasks(store: MemoryStore, known: Collection[str]) -> Iterator[Finding]:
    """New entries that belong to one task by their id, and to another by what they say."""
    for memory in store.memories:
        named = _TASK.match(memory.id)
        if memory.id not in known and named and memory.task and named[1] != memory.task:
            yield Finding(
                section=Section.MEMORY,
                weight=Weight.FAILURE,
                rule="correlation-mismatch",
                message=f"Entry {memory.id} is of task {named[1]} by its id, and of {memory.task} "
                "by its `correlation_id`. Entries of one task agree.",
                path=memory.path,
                line=memory.lines.get("correlation_id", 1),
            )


def _in_public(store: MemoryStore, snapshot: Snapshot) -> Iterator[Finding]:
    """That everybody can read what this pull request adds to files that are not to be shared."""
    if snapshot.repository.private or not snapshot.repository.id:  # 0: a local repository
        return
    touched = {file.path for file in snapshot.files}
    for path in sorted(touched.intersection(store.unshared))[:1]:
        yield Finding(
            section=Section.MEMORY,
            weight=Weight.NOTICE,
            rule="memory-in-public",
            message="This repository is public, and entries gather names of hosts, services and "
            "customers. Have .gitignore list .cursor/memory/*.md, and share files that are named "
            "*.shared.md.",
            path=path,
        )


def _finding(
    file: ChangedFile,
    rule: str,
    message: str,
    at: Memory | None = None,
    *,
    weight: Weight = Weight.FAILURE,
) -> Finding:
    return Finding(
        section=Section.MEMORY,
        weight=weight,
        rule=rule,
        message=message,
        path=file.path,
        line=at.lines.get("id", 1) if at else 1,
    )
