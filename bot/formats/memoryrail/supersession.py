"""Which memory another one replaces, and both sides of that (spec/memoryrail.md, "Lifecycle")."""

from datetime import datetime

from bot.core.edit_plan import FileEdit
from bot.core.model import Memory, MemoryStore, Status
from bot.formats.memoryrail.conditions import AlreadySuperseded, CannotReplace, MissingTarget
from bot.formats.memoryrail.store_tree import StoreTree, edited, updated


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


def as_on_base(tree: StoreTree, memory: Memory, base: MemoryStore | None) -> list[FileEdit]:
    """The edits that bring what a memory superseded back to how the base has it."""
    return [
        FileEdit(path=old.path, data=was.data, expected_oid=tree.files[old.path].oid)
        for old in tree.store.memories
        if _is_replaced_by(old, memory) and base is not None
        if (was := base.files.get(old.path)) is not None and was.data is not None
    ]


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
