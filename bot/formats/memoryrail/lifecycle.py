"""Moving a memory on in its life, as a plan of file edits (spec/memoryrail.md, "Lifecycle").

Each function looks at one store and changes nothing. What may not be done is a UserError that says
why, so a plan that exists keeps both sides of a supersession in step.
"""

from dataclasses import replace
from datetime import datetime

from bot.core.edit_plan import Action, EditPlan, FileEdit
from bot.core.model import Memory, MemoryStore, MemoryType, Status
from bot.core.stored_secrets import stored_secrets
from bot.formats.memoryrail.conditions import (
    AlreadyActive,
    CannotReplace,
    HoldsSecret,
    NotAThread,
    must_be_active,
    must_be_approved,
    must_be_live,
    must_be_proposed,
    must_not_be_settled,
)
from bot.formats.memoryrail.store_tree import StoreTree, edited, planned, updated
from bot.formats.memoryrail.supersession import as_on_base, superseding


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
        must_be_proposed(memory, "approved")
        must_not_be_settled(memory, base)
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
        must_be_proposed(memory, "rejected")
    must_not_be_settled(memory, base)
    oid = tree.files[memory.path].oid
    edits = [FileEdit(path=memory.path, data=None, expected_oid=oid)]
    if is_undone:
        edits += as_on_base(tree, memory, base)
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
            memory, f"is of type {memory.type}. Only a thread can be resolved; anything else is "
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
