"""What a plan leaves of a store, whatever its format: to plan on."""

from dataclasses import replace

from bot.core.edit_plan import EditPlan
from bot.core.model import MemoryStore, TreeFile
from bot.formats import FORMATS, jumpybrain, memoryrail
from bot.formats.memoryrail import store_tree
from bot.formats.memoryrail.store_tree import StoreTree


def after(tree: StoreTree, plan: EditPlan) -> StoreTree:
    """The store as a plan leaves it."""
    if tree.store.format == memoryrail.NAME:
        return store_tree.after(tree, plan)
    (format_,) = (one for one in FORMATS if tree.store.format == one.NAME)
    files = dict(tree.files)
    for edit in plan.edits:
        if format_.wanted(tree.store.root, edit.path):
            files.pop(edit.path, None)
            if edit.data is not None:
                files[edit.path] = TreeFile(path=edit.path, oid="", data=edit.data)
    if tree.store.format == jumpybrain.NAME:  # its mark is none of the files
        return replace(tree, store=jumpybrain.reread(tree.store, files.values()), files=files)
    store = format_.read(tree.store.root, list(files.values()))
    return replace(tree, store=store or replace(tree.store, memories=(), files={}), files=files)


def is_memory_file(store: MemoryStore, path: str) -> bool:
    """Whether a file at path holds memories of a store, or would."""
    if store.format == jumpybrain.NAME:  # which of two places it has, its mark says
        return jumpybrain.holds(store, path)
    (format_,) = (one for one in FORMATS if store.format == one.NAME)
    return path != store.config and format_.wanted(store.root, path)
