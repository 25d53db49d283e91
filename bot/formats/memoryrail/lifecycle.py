"""Moving a memory on in its life, as a plan of file edits (spec/memoryrail.md, "Lifecycle").

Each function looks at one store and changes nothing. What may not be done is a UserError that says
why, so a plan that exists keeps both sides of a supersession in step.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from bot.core.edit_plan import Action, Deed, EditPlan, FileEdit, Note, neutral
from bot.core.errors import UserError
from bot.core.model import Memory, MemoryStore, MemoryType, Status, TreeFile
from bot.core.stored_secrets import stored_secrets
from bot.core.sync.regenerate import regenerated
from bot.core.timestamps import instant
from bot.formats.memoryrail.edit import set_fields
from bot.formats.memoryrail.layout import AGENT_FILES, is_memory_path
from bot.formats.memoryrail.memory_file import read_memory

_MAX_PATH: Final = 200  # characters of a path in a commit's message


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreTree:
    """A store with the bytes behind it, as one commit has them."""

    store: MemoryStore
    files: Mapping[str, TreeFile] = field(repr=False)  # by path: its memory and agent files


class LifecycleError(UserError):
    """A memory cannot be moved on as asked."""

    def __init__(self, memory: Memory, problem: str) -> None:
        super().__init__(f"{memory.ref} ({memory.title}) {problem}")
        self.memory = memory


class NotProposed(LifecycleError):  # noqa: N818 - reads as what it is
    """Only a proposal can be approved or rejected; the memory's status says what it is."""


class SettledOnBase(NotProposed):
    """The base branch has it as no proposal: there is nothing to decide, whatever the head says."""

    def __init__(self, memory: Memory, settled: Memory) -> None:
        super().__init__(
            memory,
            f"is {settled.status} on the base branch, so it is no proposal to decide on. Restore "
            f"{settled.path} as it is there.",
        )
        self.settled = settled


class HoldsSecret(LifecycleError):  # noqa: N818 - reads as what it is
    """Its file holds what looks like a credential, and agents would be shown it."""


class AlreadyActive(NotProposed):
    """It was approved before."""


class NotActive(LifecycleError):  # noqa: N818 - reads as what it is
    """It does not bind, or no longer on the base branch; only what binds is changed so."""


class NotApproved(LifecycleError):  # noqa: N818 - reads as what it is
    """It binds only because an agent says so, or is not what a maintainer approved."""


class NotAThread(LifecycleError):  # noqa: N818 - reads as what it is
    """Only a thread can be resolved."""


class MissingTarget(LifecycleError):  # noqa: N818 - reads as what it is
    """What the proposal wants to replace is not there, or is not settled itself."""

    def __init__(self, memory: Memory, problem: str, target: str) -> None:
        super().__init__(memory, problem)
        self.target = target  # id


class CannotReplace(LifecycleError):  # noqa: N818 - reads as what it is
    """The memory cannot be the one that replaces another."""


class AlreadySuperseded(LifecycleError):  # noqa: N818 - reads as what it is
    """What the proposal wants to replace was replaced meanwhile, by the memory with the id `by`."""

    def __init__(self, memory: Memory, target: Memory, by: str | None) -> None:
        whom = by or "another memory"
        super().__init__(
            memory,
            f"wants to replace {target.ref} ({target.title}), which {whom} has replaced meanwhile. "
            f"Let it supersede {whom}, or reject it.",
        )
        self.target, self.by = target, by


def approve(
    tree: StoreTree,
    memory: Memory,
    *,
    now: datetime,
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
) -> EditPlan:
    """Make a proposal active, and what it supersedes superseded.

    base: the same store on the base branch, where the old memory may have been replaced meanwhile.
    unapproved: paths of active memories that nobody approved as they stand. One of these may be
    approved too, and blocks that would begin to show another one are left alone.
    Raises NotProposed, SettledOnBase, AlreadyActive, HoldsSecret, MissingTarget, CannotReplace,
    AlreadySuperseded, MemoryFormatError.
    """
    if memory.status is Status.ACTIVE and memory.path not in unapproved:
        raise AlreadyActive(memory, "is active already. There is nothing to approve.")
    if memory.status is not Status.ACTIVE:
        _must_be_proposed(memory, "approved")
        _must_not_be_settled(memory, base)
    if found := stored_secrets([tree.files[memory.path]]):
        raise HoldsSecret(memory, f"cannot be approved. Line {found[0].line}: {found[0].message}")
    fields = {"status": Status.ACTIVE, "updated": updated(memory, now)}
    edits = [edited(tree, memory, fields)]
    if memory.supersedes:
        edits += superseding(tree, memory, now=now, base=base)
    action = Action(verb="approve", memory=memory)
    return planned(tree, action, edits, unapproved=unapproved - {memory.path})


def reject(
    tree: StoreTree,
    memory: Memory,
    *,
    reason: str = "",
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
    approved: frozenset[str] = frozenset(),
) -> EditPlan:
    """Delete a proposal; what it wanted to supersede stays.

    base: the same store on the base branch; what is settled there is not rejected.
    unapproved: as for approve; blocks that would begin to show one of these are left alone.
    approved: paths of memories that were approved since the base. Rejecting one of these undoes
    the approval: what it superseded is again as on the base.
    Raises NotProposed, SettledOnBase.
    """
    is_undone = memory.status is Status.ACTIVE and memory.path in approved
    if not is_undone:
        _must_be_proposed(memory, "rejected")
    _must_not_be_settled(memory, base)
    oid = tree.files[memory.path].oid
    edits = [FileEdit(path=memory.path, data=None, expected_oid=oid)]
    if is_undone:
        edits += _as_on_base(tree, memory, base)
    action = Action(verb="reject", memory=memory, reason=reason)
    return planned(tree, action, edits, unapproved=unapproved)


def archive(
    tree: StoreTree,
    memory: Memory,
    *,
    now: datetime,
    reason: str = "",
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
) -> EditPlan:
    """Say that an active memory is wrong or no longer relevant. Raises NotActive, SettledOnBase.

    base: the same store on the base branch, which may have retired it meanwhile. unapproved: as for
    approve; blocks that would begin to show one of these are left alone.
    """
    must_be_active(memory, "archived", base)
    fields = {"status": Status.ARCHIVED, "updated": updated(memory, now)}
    action = Action(verb="archive", memory=memory, reason=reason)
    return planned(tree, action, [edited(tree, memory, fields)], unapproved=unapproved)


def resolve(
    tree: StoreTree,
    memory: Memory,
    *,
    now: datetime,
    reason: str = "",
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
) -> EditPlan:
    """Say that a thread is done. Raises NotAThread, NotActive, SettledOnBase; else as archive."""
    if memory.type is not MemoryType.THREAD:
        raise NotAThread(
            memory, f"is a {memory.type}. Only a thread can be resolved; a {memory.type} is "
            "archived or superseded."
        )  # fmt: skip
    must_be_active(memory, "resolved", base)
    fields = {"status": Status.RESOLVED, "updated": updated(memory, now)}
    action = Action(verb="resolve", memory=memory, reason=reason)
    return planned(tree, action, [edited(tree, memory, fields)], unapproved=unapproved)


def supersede(
    tree: StoreTree,
    old: Memory,
    new: Memory,
    *,
    now: datetime,
    reason: str = "",
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
) -> EditPlan:
    """Say that a memory that is there already replaces another one, on both sides.

    A proposal only notes what it is to replace; that stays as it is until the approval.
    base, unapproved: as for archive. Raises CannotReplace, MissingTarget, AlreadySuperseded,
    NotApproved, NotActive, SettledOnBase, MemoryFormatError.
    """
    if new.supersedes not in {None, old.id}:
        raise CannotReplace(new, f"replaces {new.supersedes} already. Add a new memory instead.")
    if new.status not in {Status.ACTIVE, Status.PROPOSED}:
        raise CannotReplace(new, f"is {new.status}, so it replaces nothing.")
    must_be_live(new, "made to replace another memory", base)
    must_be_approved(new, unapproved)
    noted = replace(new, supersedes=old.id)
    replaced = superseding(tree, noted, now=now, base=base)
    edits = [edited(tree, new, {"supersedes": old.id, "updated": updated(new, now)})]
    if new.status is Status.ACTIVE:
        edits += replaced
    action = Action(verb="supersede", memory=old, successor=new, reason=reason)
    return planned(tree, action, edits, unapproved=unapproved)


def confirm(
    tree: StoreTree,
    memory: Memory,
    *,
    now: datetime,
    reason: str = "",
    base: MemoryStore | None = None,
    unapproved: frozenset[str] = frozenset(),
) -> EditPlan:
    """Say that an active memory still holds: `updated` is now.

    base, unapproved: as for archive. Raises NotActive, SettledOnBase, NotApproved.
    """
    must_be_active(memory, "confirmed", base)
    must_be_approved(memory, unapproved)
    edit = edited(tree, memory, {"updated": updated(memory, now)})
    action = Action(verb="confirm", memory=memory, reason=reason)
    return planned(tree, action, [edit], unapproved=unapproved)


def superseding(
    tree: StoreTree, memory: Memory, *, now: datetime, base: MemoryStore | None = None
) -> list[FileEdit]:
    """The edits that make the memory that another one names in `supersedes` superseded by it.

    None where it is so already. Raises MissingTarget, CannotReplace, AlreadySuperseded,
    MemoryFormatError.
    """
    old = _target(memory, tree.store, base)
    if _is_replaced_by(old, memory):
        return []
    fields = {
        "status": Status.SUPERSEDED,
        "superseded_by": memory.id,
        "updated": updated(old, now),
    }
    return [edited(tree, old, fields)]


def planned(
    tree: StoreTree,
    action: Action,
    edits: list[FileEdit],
    *,
    unapproved: frozenset[str] = frozenset(),
) -> EditPlan:
    """A plan of the edits of memories, and of our blocks that show them.

    unapproved: as for approve.
    """
    memories = after(tree, EditPlan(edits=tuple(edits))).store.memories
    blocks, notes = regenerated(_agent_files(tree), memories, unapproved=unapproved)
    ordered = sorted((*edits, *blocks), key=lambda edit: edit.path)
    return EditPlan(edits=tuple(ordered), actions=(action,), notes=notes)


def blocks(tree: StoreTree, *, unapproved: frozenset[str] = frozenset()) -> EditPlan:
    """A plan that brings our blocks into step with the memories as they are, and nothing else.

    unapproved: as for approve.
    """
    edits, notes = regenerated(_agent_files(tree), tree.store.memories, unapproved=unapproved)
    deeds = tuple(Deed(verb="sync", name=neutral(edit.path, _MAX_PATH)) for edit in edits)
    return EditPlan(edits=edits, deeds=deeds, notes=notes)


def left_alone(tree: StoreTree, *, unapproved: frozenset[str] = frozenset()) -> tuple[Note, ...]:
    """The notes that a plan gets on a store as it is: on each block that is not brought into step.

    unapproved: as for approve.
    """
    return blocks(tree, unapproved=unapproved).notes


def is_settled(memory: Memory, base: MemoryStore | None) -> bool:
    """Whether the base branch has a memory, by its id or its path, as no proposal."""
    return _settled(memory, base) is not None


def after(tree: StoreTree, plan: EditPlan) -> StoreTree:
    """The store as a plan leaves it, to plan on. Its problems are still those of before."""
    files = dict(tree.files)
    memories = {memory.path: memory for memory in tree.store.memories}
    for edit in plan.edits:
        memories.pop(edit.path, None)
        files.pop(edit.path, None)
        if edit.data is None or not tree.store.governs(edit.path):
            continue
        files[edit.path] = file = TreeFile(path=edit.path, oid="", data=edit.data)
        if is_memory_path(tree.store.root, edit.path) and (memory := read_memory(file)[0]):
            memories[edit.path] = memory
    ordered = sorted(memories.values(), key=lambda memory: (memory.id, memory.path))
    return StoreTree(store=replace(tree.store, memories=tuple(ordered)), files=files)


def timestamp(now: datetime) -> str:
    """A moment as memories write it: 2026-10-10T17:30:00.000Z."""
    return f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"


def must_be_active(memory: Memory, wanted: str, base: MemoryStore | None) -> None:
    """Raise NotActive, or SettledOnBase, for a memory that does not bind here or on the base.

    wanted: what it cannot be, a participle.
    """
    must_be_live(memory, wanted, base)
    if memory.status is Status.PROPOSED:
        raise NotActive(memory, f"is proposed, so it cannot be {wanted}. Approve or reject it.")


def must_be_live(memory: Memory, wanted: str, base: MemoryStore | None) -> None:
    """Raise NotActive, or SettledOnBase, for what is neither active nor a proposal, as on the base.

    wanted: as for must_be_active.
    """
    if memory.status is Status.PROPOSED:
        _must_not_be_settled(memory, base)
    elif memory.status is not Status.ACTIVE:
        raise NotActive(memory, f"is {memory.status} already, so it cannot be {wanted}.")
    elif (there := _settled(memory, base)) and there.status is not Status.ACTIVE:
        raise NotActive(
            memory,
            f"is {there.status} on the base branch, so it cannot be {wanted}. Merge the base "
            "branch into this one.",
        )


def must_be_approved(memory: Memory, unapproved: frozenset[str]) -> None:
    """Raise NotApproved for a memory whose path is among those that nobody approved so."""
    if memory.path in unapproved:
        raise NotApproved(
            memory, "is active here, and no maintainer approved it as it stands. Approve it first."
        )


def updated(memory: Memory, now: datetime) -> str:
    """What `updated` becomes: now, but no earlier than the memory was created."""
    created = instant(memory.created)
    return timestamp(max(now, created) if created else now)


def edited(
    tree: StoreTree,
    memory: Memory,
    fields: Mapping[str, str | bool],
    *,
    links: Mapping[str, str] = MappingProxyType({}),
) -> FileEdit:
    """The edit that sets fields of a memory, and its links to others. Raises MemoryFormatError."""
    file = tree.files[memory.path]
    items = {"links": links} if links else {}
    data = set_fields(file.data or b"", fields, items=items, path=memory.path)
    return FileEdit(path=memory.path, data=data, expected_oid=file.oid)


def _agent_files(tree: StoreTree) -> list[TreeFile]:
    root = f"{tree.store.root}/" if tree.store.root else ""
    return [tree.files[path] for name in AGENT_FILES if (path := root + name) in tree.files]


def _must_not_be_settled(memory: Memory, base: MemoryStore | None) -> None:
    if settled := _settled(memory, base):
        raise SettledOnBase(memory, settled)


def _settled(memory: Memory, base: MemoryStore | None) -> Memory | None:
    found = (
        other
        for other in (base.memories if base else ())
        if other.id == memory.id or other.path == memory.path
    )
    return next((other for other in found if other.status is not Status.PROPOSED), None)


def _as_on_base(tree: StoreTree, memory: Memory, base: MemoryStore | None) -> list[FileEdit]:
    """The edits that bring what a memory superseded back to how the base has it."""
    return [
        FileEdit(path=old.path, data=was.data, expected_oid=tree.files[old.path].oid)
        for old in tree.store.memories
        if _is_replaced_by(old, memory) and base is not None
        if (was := base.files.get(old.path)) is not None and was.data is not None
    ]


def _must_be_proposed(memory: Memory, wanted: str) -> None:
    if memory.status is not Status.PROPOSED:
        raise NotProposed(memory, f"is {memory.status}. Only a proposal can be {wanted}.")


def _target(memory: Memory, store: MemoryStore, base: MemoryStore | None) -> Memory:
    """The memory that a proposal may replace."""
    wanted = memory.supersedes or ""
    found = [other for other in store.memories if other.id == wanted]
    if not found:
        raise MissingTarget(memory, f"wants to replace {wanted}, which is no memory here.", wanted)
    if len(found) > 1:
        paths = ", ".join(other.path for other in found)
        raise MissingTarget(memory, f"wants to replace {wanted}, but {paths} share it.", wanted)
    target = found[0]
    if target.path == memory.path:
        raise MissingTarget(memory, "wants to replace itself.", wanted)
    if memory.id in _replaced_by(target, store):
        raise CannotReplace(memory, f"was replaced by {target.ref} itself. Add a new memory.")
    if target.status is Status.PROPOSED:
        problem = f"wants to replace {target.ref}, which is a proposal itself. Decide that first."
        raise MissingTarget(memory, problem, wanted)
    on_base = base.memories if base else ()
    for old in (target, *(other for other in on_base if other.id == wanted)):
        if old.status is Status.SUPERSEDED and old.superseded_by != memory.id:
            raise AlreadySuperseded(memory, target, old.superseded_by)
    for other in (*store.active, *(base.active if base else ())):
        if other.supersedes == wanted and other.id != memory.id:
            raise AlreadySuperseded(memory, target, other.id)
    return target


def _replaced_by(memory: Memory, store: MemoryStore) -> set[str]:
    """Ids of all that a memory replaces, and what that replaced, and so on."""
    by_id = {other.id: other for other in store.memories}
    found: set[str] = set()
    older = memory.supersedes
    while older in by_id and older not in found:
        found.add(older)
        older = by_id[older].supersedes
    return found


def _is_replaced_by(old: Memory, new: Memory) -> bool:
    return old.status is Status.SUPERSEDED and old.superseded_by == new.id
