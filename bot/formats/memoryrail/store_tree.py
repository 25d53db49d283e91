"""A store with the bytes behind it, and plans of edits that keep our blocks in step with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from bot.core.edit_plan import Action, Deed, EditPlan, FileEdit, Note, neutral
from bot.core.model import Memory, MemoryStore, TreeFile
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


def updated(memory: Memory, now: datetime) -> str:
    """What `updated` becomes: now, but no earlier than the memory was created."""
    created = instant(memory.created)
    return timestamp(max(now, created) if created else now)


def timestamp(now: datetime) -> str:
    """A moment as memories write it: 2026-10-10T17:30:00.000Z."""
    return f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"


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


def _agent_files(tree: StoreTree) -> list[TreeFile]:
    root = f"{tree.store.root}/" if tree.store.root else ""
    return [tree.files[path] for name in AGENT_FILES if (path := root + name) in tree.files]
