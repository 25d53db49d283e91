"""Which changes to memories break the life that memories lead.

A settled memory is never reworded, weakened or taken away in place: a new one supersedes it
(spec/memoryrail.md, "Lifecycle"). Where the review gate is on, agents propose and people approve.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.core.model import DURABLE, Memory, MemoryStore, Status
from bot.core.precheck import covers
from bot.core.report import ChangeKind, Finding, MemoryChange, Section, Weight
from bot.core.snapshot import Snapshot
from bot.core.staleness import path_of

# Approving mends them.
UNAPPROVED: Final = frozenset({"gate-bypassed", "approved-text-changed", "self-reviewed"})
# What a maintainer may have done to a settled memory by a command, and nobody else.
WEAKENED: Final = frozenset({"unpinned", "links-narrowed", "deactivated"})

_NO_STORE: Final = MemoryStore(format="", root="")
_INSTEAD: Final = "Keep it, and add a memory with `supersedes` that says what holds now and why."


def lifecycle_findings(snapshot: Snapshot, changes: Sequence[MemoryChange]) -> Iterator[Finding]:
    """What the changes break, in no particular order."""
    for change in changes:
        store = snapshot.head.store_with(change.path)
        kept = store or snapshot.base.store_with(change.path) or _NO_STORE
        if kept.only_appended:
            yield from _self_written(change)
            continue  # what else must stay, bot/core/append_only.py says
        if kept.edited_in_place:
            yield from _unapproved(change, snapshot)
            yield from _marked_by_agent(change, snapshot)
            yield from _self_reviewed(change, snapshot)
            continue  # what else must stay, Snapshot.differences says
        memories = {memory.id: memory for memory in store.memories} if store else {}
        root = store.root if store else ""
        by_command = WEAKENED if _is_approved(change, snapshot) else frozenset()
        found = _breaks(change, memories, root, snapshot)
        yield from (one for one in found if one.rule not in by_command)
        yield from _unapproved(change, snapshot)
        yield from _ambiguous(change, memories.values())
    yield from _gate_turned_off(snapshot, changes)


def _breaks(
    change: MemoryChange,
    memories: Mapping[str, Memory],
    root: str,
    snapshot: Snapshot,
) -> Iterator[Finding]:
    before, after = change.before, change.after
    if after is not None:
        yield from _half_superseded(change, after, memories)
    if before is None or before.type not in DURABLE or before.status is Status.PROPOSED:
        return
    if change.kind is ChangeKind.REMOVED:
        yield _finding(change, "removed", f"{_name(before)} is taken away. {_INSTEAD}")
    elif after is not None and (after.id, after.path) != (before.id, before.path):
        yield _finding(change, "renamed", f"{_name(before)} is renamed. Keep its id and its file.")
    elif after is not None:
        yield from _reworded(change, before, after)
        if before.status is Status.ACTIVE:
            yield from _weakened(change, before, after, _uncovered(before, after, root, snapshot))
            yield from _retired(change, before, after, memories)
        elif after.status is Status.ACTIVE:
            yield _finding(
                change, "revived", f"{_name(before)} was {before.status}. Add a new memory instead."
            )


def _reworded(change: MemoryChange, before: Memory, after: Memory) -> Iterator[Finding]:
    # A formatter may change white space.
    if (before.title, before.body.split()) != (after.title, after.body.split()):
        yield _finding(
            change, "reworded", f"{_name(before)} is settled and reworded in place. {_INSTEAD}"
        )
    if before.type is not after.type:
        yield _finding(
            change,
            "retyped",
            f"{_name(before)} turns from {before.type} into {after.type}. {_INSTEAD}",
        )


def _uncovered(before: Memory, after: Memory, root: str, snapshot: Snapshot) -> tuple[str, ...]:
    """What the memory no longer covers, as far as it is still there, under whatever name."""
    prefix = f"{root}/" if root else ""
    renamed = {
        file.previous_path.removeprefix(prefix): file.path.removeprefix(prefix)
        for file in snapshot.files
        if file.previous_path and file.status == "renamed"
    }
    wanted = [renamed.get(link.strip("/"), link) for link in before.links]
    return tuple(
        link
        for link in wanted
        if path_of(root, link) not in snapshot.gone
        and not any(covers(now, link) for now in after.links)
    )


def _weakened(
    change: MemoryChange, before: Memory, after: Memory, gone: Sequence[str]
) -> Iterator[Finding]:
    if before.pinned and not after.pinned:
        yield _finding(change, "unpinned", f"{_name(before)} is no longer pinned. {_INSTEAD}")
    if gone:
        yield _finding(
            change,
            "links-narrowed",
            f"{_name(before)} no longer covers {', '.join(gone)}. {_INSTEAD}",
            field="links",
        )


def _retired(
    change: MemoryChange, before: Memory, after: Memory, memories: Mapping[str, Memory]
) -> Iterator[Finding]:
    if after.status not in {Status.ACTIVE, Status.SUPERSEDED}:
        yield _finding(
            change,
            "deactivated",
            f"{_name(before)} becomes {after.status}. {_INSTEAD}",
            field="status",
        )
    elif after.status is Status.SUPERSEDED and not _succeeded(after, memories):
        yield _finding(
            change,
            "half-superseded",
            f"{_name(before)} becomes superseded, but no active memory supersedes it. Set "
            f"`superseded_by` here and `supersedes` there, or leave it active until a proposal is "
            f"approved.",
            field="status",
        )


def _succeeded(old: Memory, memories: Mapping[str, Memory]) -> bool:
    """Whether a memory that binds stands at the end of the line of successors."""
    seen = {old.id}
    while (new := memories.get(old.superseded_by or "")) is not None:
        if new.id in seen or new.type not in DURABLE or new.supersedes != old.id:
            return False
        if new.status is not Status.SUPERSEDED:
            return new.status is Status.ACTIVE
        seen.add(new.id)
        old = new
    return False


def _half_superseded(
    change: MemoryChange, after: Memory, memories: Mapping[str, Memory]
) -> Iterator[Finding]:
    """A memory that replaces another one while that one does not say so."""
    old = memories.get(after.supersedes or "")
    if old is None or after.status is not Status.ACTIVE:
        return
    if old.status is not Status.SUPERSEDED or old.superseded_by != after.id:
        yield _finding(
            change,
            "half-superseded",
            f'{_name(after)} supersedes {_name(old)}, which must say `status: "superseded"` and '
            f'`superseded_by: "{after.id}"`.',
            field="supersedes",
        )


def _unapproved(change: MemoryChange, snapshot: Snapshot) -> Iterator[Finding]:
    """What binds although no person stands behind the contents that it has now.

    Whatever an agent made bind behind the gate, and what a maintainer approved before it was
    edited: an approval is of contents, not of a name.
    """
    after, before = change.after, change.before
    if after is None or not _binds(after) or _is_approved(change, snapshot):
        return
    if before is not None and _force(after) == _force(before):
        return
    if any(path == change.path for path, _ in snapshot.approvals):
        yield _finding(
            change,
            "approved-text-changed",
            f"{_name(after)} was approved and edited afterwards. A maintainer approves it again.",
        )
    elif change.by_agent and _is_gated(change.path, snapshot):
        yield _finding(
            change,
            "gate-bypassed",
            f"An agent made {_name(after)} bind as it stands. Here agents propose and people "
            f'approve: write a new memory with `status: "proposed"`.',
            field="status",
        )


def _marked_by_agent(change: MemoryChange, snapshot: Snapshot) -> Iterator[Finding]:
    """That an agent says of what was there that a person has looked at it."""
    before, after = change.before, change.after
    if before is None or after is None or not change.by_agent or _is_approved(change, snapshot):
        return
    if before.status is Status.PROPOSED and after.status is Status.ACTIVE:
        yield _finding(
            change,
            "gate-bypassed",
            f"An agent marked {_name(after)} as reviewed by a person. A maintainer approves it.",
            field="confidence",
        )


def _self_reviewed(change: MemoryChange, snapshot: Snapshot) -> Iterator[Finding]:
    """That an agent says of what it brings that a person has reviewed it."""
    before, after = change.before, change.after
    if after is None or not change.self_reviewed:
        return
    if before is not None and before.status is Status.PROPOSED:
        return  # gate-bypassed
    if all(path != change.path for path, _ in snapshot.approvals):
        yield _finding(
            change,
            "self-reviewed",
            f"An agent wrote {_name(after)}, and that a person has reviewed it. Write "
            '`confidence: "agent-drafted"` and `review: "user-review-recommended"`. A maintainer '
            f"then approves it: `/memoryrail approve {after.ref}`.",
            field=after.vouched,
            weight=Weight.WARNING,
        )


def _self_written(change: MemoryChange) -> Iterator[Finding]:
    """That an agent says of an entry that a person wrote it."""
    after = change.after
    if after is not None and change.self_reviewed:
        yield _finding(
            change,
            "self-reviewed",
            f"An agent wrote entry {after.id}, and that a person did. Write `author: orchestrator` "
            f"or `author: subagent`. A maintainer then approves it: `/memoryrail approve "
            f"{after.ref}`.",
            field=after.vouched,
            weight=Weight.WARNING,
        )


def _is_approved(change: MemoryChange, snapshot: Snapshot) -> bool:
    file = snapshot.head.memory_file(change.path)
    return file is not None and (change.path, file.oid) in snapshot.approvals


def _is_gated(path: str, snapshot: Snapshot) -> bool:
    """The base decides; the head does where the base has no store for a path."""
    own = snapshot.head.store_with(path)
    store = own and (snapshot.base.store_of(path, own.format) or own)
    return store is not None and store.gated


def _binds(memory: Memory) -> bool:
    return memory.type in DURABLE and memory.status is Status.ACTIVE


def _force(memory: Memory) -> tuple[object, ...]:
    """All of a memory that decides what it asks for, and where."""
    return (
        _binds(memory),
        memory.type,
        memory.title,
        memory.body.split(),
        memory.pinned,
        frozenset(memory.links),
        memory.supersedes,
    )


def _ambiguous(change: MemoryChange, memories: Iterable[Memory]) -> Iterator[Finding]:
    after = change.after
    if change.kind is not ChangeKind.ADDED or after is None:
        return
    twins = [m for m in memories if m.ref == after.ref and m.path != after.path]
    if twins:
        names = ", ".join(memory.id for memory in twins)
        yield _finding(
            change,
            "ambiguous-ref",
            f"{after.ref} already stands for {names}. Give this memory another id.",
            field="id",
        )


def _gate_turned_off(snapshot: Snapshot, changes: Sequence[MemoryChange]) -> Iterator[Finding]:
    agents = any(change.by_agent for change in changes)
    touched = {path for file in snapshot.files for path in file.paths}
    for store in snapshot.base.stores:
        now = snapshot.head.store_like(store)
        if store.gated and now is not None and not now.gated and store.config in touched:
            yield Finding(
                section=Section.MEMORY,
                weight=Weight.FAILURE if agents else Weight.WARNING,
                rule="gate-turned-off",
                message="This pull request lets agents write memories that nobody approved.",
                path=store.config,
            )


def _name(memory: Memory) -> str:
    return f"{memory.ref} ({memory.title})"


def _finding(
    change: MemoryChange,
    rule: str,
    message: str,
    *,
    field: str = "id",
    weight: Weight = Weight.FAILURE,
) -> Finding:
    lines = change.after.lines if change.after else {}
    return Finding(
        section=Section.MEMORY,
        weight=weight,
        rule=rule,
        message=message,
        path=change.path,
        line=lines.get(field, 1),
    )
