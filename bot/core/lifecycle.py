"""What a pull request does to memories, and which of it breaks the life that memories lead.

A settled memory is never reworded, weakened or taken away in place: a new one supersedes it
(spec/memoryrail.md, "Lifecycle"). What binds is the base's version; the head's is a proposal.
"""

from collections.abc import Iterator, Mapping, Sequence

from bot.core.agents import is_by_agent
from bot.core.model import DURABLE, Memory, MemoryStore, Problem, Severity, Status
from bot.core.report import ChangeKind, Finding, MemoryChange, Section, Weight
from bot.core.snapshot import ChangedFile, Side, Snapshot

_TOLD_BELOW = "missing-superseded-by"  # as half-superseded, where the change is
_WEIGHT = {
    Severity.ERROR: Weight.FAILURE,
    Severity.WARNING: Weight.WARNING,
    Severity.NOTICE: Weight.NOTICE,
}


def memory_changes(snapshot: Snapshot) -> tuple[MemoryChange, ...]:
    """Every memory file that the pull request adds, changes or removes, by path."""
    by_agent = _paths_of_agents(snapshot)
    changes = []
    for file in snapshot.files:
        old_path = file.paths[-1]
        before, after = _at(snapshot.base, old_path), _at(snapshot.head, file.path)
        was, is_ = _oid(snapshot.base, old_path), _oid(snapshot.head, file.path)
        if (was is None and is_ is None) or (was == is_ and old_path == file.path):
            continue
        changes.append(
            MemoryChange(
                kind=_kind(was, is_),
                path=file.path,
                before=before,
                after=after,
                by_agent=any(path in by_agent for path in file.paths),
            )
        )
    return tuple(sorted(changes, key=lambda change: change.path))


def memory_findings(snapshot: Snapshot, changes: Sequence[MemoryChange]) -> Iterator[Finding]:
    """What is wrong with memories. What stood there before is a notice; the rest weighs."""
    touched = {path for file in snapshot.files for path in file.paths}
    for problem, is_caused in _format_problems(snapshot, touched):
        if not (is_caused and problem.rule == _TOLD_BELOW):
            yield _of_problem(problem, caused=is_caused)
    for change in changes:
        yield from _breaks(change, snapshot.head, snapshot.files)
        yield from _bypasses_gate(change, snapshot)
    yield from _ambiguous(changes, snapshot.head)
    yield from _gate_turned_off(snapshot)


def _kind(was: str | None, is_: str | None) -> ChangeKind:
    if was is None:
        return ChangeKind.ADDED
    return ChangeKind.REMOVED if is_ is None else ChangeKind.CHANGED


def _at(side: Side, path: str) -> Memory | None:
    store = side.store_of(path)
    found = (memory for memory in store.memories if memory.path == path) if store else ()
    return next(iter(found), None)


def _oid(side: Side, path: str) -> str | None:
    """The object id of a memory file; None for a path that is none of a store's memory files."""
    store = side.store_of(path)
    return store.oids.get(path) if store and path.endswith(".md") else None


def _paths_of_agents(snapshot: Snapshot) -> frozenset[str]:
    agents = snapshot.settings.agents
    return frozenset(
        path
        for commit in snapshot.commits
        if is_by_agent(commit, snapshot.pull, agents)
        for path in commit.paths
    )


def _format_problems(
    snapshot: Snapshot, touched: frozenset[str] | set[str]
) -> Iterator[tuple[Problem, bool]]:
    """The head's problems and the base's own, each with whether this pull request causes it."""
    known = {(p.path, p.rule) for store in snapshot.base.stores for p in store.problems}
    for store in snapshot.head.stores:
        for problem in store.problems:
            if _same_blob(snapshot, problem.path):  # then another file's change may cause it
                yield problem, (problem.path, problem.rule) not in known
            else:
                yield problem, problem.path in touched
    at_head = {(p.path, p.rule) for store in snapshot.head.stores for p in store.problems}
    for store in snapshot.base.stores:
        for problem in store.problems:
            if (problem.path, problem.rule) not in at_head and problem.path not in touched:
                yield problem, False
    for problem in snapshot.settings_problems:
        yield problem, False
    for problem in snapshot.proposed_settings_problems:
        yield problem, True


def _same_blob(snapshot: Snapshot, path: str) -> bool:
    base, head = snapshot.base.store_of(path), snapshot.head.store_of(path)
    return bool(base and head and path in base.oids and base.oids[path] == head.oids.get(path))


def _of_problem(problem: Problem, *, caused: bool) -> Finding:
    return Finding(
        section=Section.MEMORY,
        weight=_WEIGHT[problem.severity] if caused else Weight.NOTICE,
        rule=problem.rule,
        message=problem.message,
        path=problem.path,
        line=problem.line,
    )


def _breaks(change: MemoryChange, head: Side, files: Sequence[ChangedFile]) -> Iterator[Finding]:
    before, after = change.before, change.after
    store = head.store_of(change.path)
    memories = {memory.id: memory for memory in store.memories} if store else {}
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
            gone = _uncovered(before, after, store.root if store else "", files)
            yield from _weakened(change, before, after, gone)
            yield from _retired(change, before, after, memories)
        elif after.status is Status.ACTIVE:
            yield _finding(
                change, "revived", f"{_name(before)} was {before.status}. Add a new memory instead."
            )


_INSTEAD = "Keep it, and add a memory with `supersedes` that says what holds now and why."


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


def _uncovered(
    before: Memory, after: Memory, root: str, files: Sequence[ChangedFile]
) -> tuple[str, ...]:
    """Links that are dropped although what they name is neither removed nor renamed here."""
    vanished = {file.path for file in files if file.status == "removed"}
    vanished |= {file.previous_path for file in files if file.previous_path}
    return tuple(
        link
        for link in before.links
        if link not in after.links and f"{root}/{link}".strip("/") not in vanished
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
    new = memories.get(old.superseded_by or "")
    return new is not None and new.supersedes == old.id and new.status is not Status.PROPOSED


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


def _bypasses_gate(change: MemoryChange, snapshot: Snapshot) -> Iterator[Finding]:
    before, after = change.before, change.after
    store = snapshot.base.store_of(change.path) or snapshot.head.store_of(change.path)
    if store is None or not store.gated or not change.by_agent or after is None:
        return
    was_active = before is not None and before.status is Status.ACTIVE
    if after.type in DURABLE and after.status is Status.ACTIVE and not was_active:
        yield _finding(
            change,
            "gate-bypassed",
            f"An agent wrote {_name(after)} as active. Here agents propose and people approve: "
            f'set `status: "proposed"`.',
            field="status",
        )


def _ambiguous(changes: Sequence[MemoryChange], head: Side) -> Iterator[Finding]:
    for change in changes:
        after, store = change.after, head.store_of(change.path)
        if change.kind is not ChangeKind.ADDED or after is None or store is None:
            continue
        twins = [m for m in store.memories if m.ref == after.ref and m.path != after.path]
        if twins:
            names = ", ".join(memory.id for memory in twins)
            yield _finding(
                change,
                "ambiguous-ref",
                f"{after.ref} already stands for {names}. Give this memory another id.",
                field="id",
            )


def _gate_turned_off(snapshot: Snapshot) -> Iterator[Finding]:
    heads: Mapping[str, MemoryStore] = {store.root: store for store in snapshot.head.stores}
    for store in snapshot.base.stores:
        now = heads.get(store.root)
        if store.gated and now is not None and not now.gated:
            folder = f"{store.root}/" if store.root else ""
            yield Finding(
                section=Section.MEMORY,
                weight=Weight.WARNING,
                rule="gate-turned-off",
                message="This pull request lets agents write memories that nobody approved.",
                path=f"{folder}.memoryrail/config.json",
            )


def _name(memory: Memory) -> str:
    return f"{memory.ref} ({memory.title})"


def _finding(change: MemoryChange, rule: str, message: str, *, field: str = "id") -> Finding:
    lines = change.after.lines if change.after else {}
    return Finding(
        section=Section.MEMORY,
        weight=Weight.FAILURE,
        rule=rule,
        message=message,
        path=change.path,
        line=lines.get(field, 1),
    )
