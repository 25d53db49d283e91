"""Small stores to plan on: an active memory, and a proposal that replaces it."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from bot.core.edit_plan import EditPlan
from bot.core.model import MemoryStore, TreeFile
from bot.core.refs import resolve
from bot.formats import memoryrail
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.store_tree import StoreTree

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)


def store_tree(files: Sequence[TreeFile], root: str = "") -> StoreTree:
    store = memoryrail.read(root, files)
    assert store is not None
    return StoreTree(store=store, files={file.path: file for file in files})


def plan(op: str, found: StoreTree, ref: str, now: datetime = NOW) -> EditPlan:
    memory = resolve(found.store.memories, ref)
    if op == "reject":
        return lifecycle.reject(found, memory)
    move: Callable[..., EditPlan] = getattr(lifecycle, op)
    return move(found, memory, now=now)


def memory_file(id_: str, status: str, type_: str = "decision", **fields: str) -> TreeFile:
    more = "".join(f'{name}: "{value}"\n' for name, value in fields.items())
    text = (
        f'---\nid: "{id_}"\ntype: "{type_}"\ntitle: "On {id_}"\nstatus: "{status}"\n'
        f'created: "2026-10-01T08:00:00.000Z"\nupdated: "2026-10-01T08:00:00.000Z"\n{more}---\nB.\n'
    )
    return file(f".memoryrail/memories/{id_}.md", text)


def file(path: str, text: str | bytes) -> TreeFile:
    data = text if isinstance(text, bytes) else text.encode()
    return TreeFile(path=path, oid=f"oid of {path}", data=data)


CONFIG = file(".memoryrail/config.json", '{"version": 1}')
OLD = memory_file("20261001-old", "active")
NEW = memory_file("20261009-new", "proposed", supersedes="20261001-old")


def on_base(*files: TreeFile) -> MemoryStore:
    return store_tree([CONFIG, *files]).store
