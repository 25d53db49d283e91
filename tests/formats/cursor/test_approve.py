from datetime import UTC, datetime

import pytest

from bot.core.errors import UserError
from bot.core.model import MemoryStore
from bot.formats.cursor.approve import approve
from bot.formats.cursor.store import read
from bot.formats.cursor.validate import read_file
from bot.formats.memoryrail.store_tree import StoreTree
from bot.formats.trees import after
from tests.formats.cursor.making import entry, file

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
FILE = file("decisions.md", entry("1-0-decision", kind="decision", correlation_id="1-0"))


def _store(*files: object) -> StoreTree:
    store = read("", [FILE, *files])  # type: ignore[list-item]
    assert isinstance(store, MemoryStore)
    return StoreTree(store=store, files=store.files)


def test_the_entry_stays_and_a_person_stands_behind_it() -> None:
    tree = _store()
    (edit,) = approve(tree, tree.store.memories[0], now=NOW, by="ada").edits
    assert edit.data is not None
    assert edit.data.startswith(FILE.data or b"x")
    assert edit.expected_oid == FILE.oid
    last = read_file("decisions.md", edit.data).blocks.entries[-1]
    assert {name: found.text for name, found in last.fields.items()} == {
        "schema_version": "1",
        "id": "1-0-decision-2",
        "correlation_id": "1-0",
        "at": "2026-10-10T17:30:00Z",
        "kind": "decision",
        "status": "done",
        "author": "human",
        "summary": "Approved: On 1-0-decision",
        "author_detail": "ada",
        "links": "[1-0-decision]",
    }


def test_twice_is_refused_and_an_approval_needs_none() -> None:
    tree = _store()
    tree = after(tree, approve(tree, tree.store.memories[0], now=NOW, by="ada"))
    assert len(tree.store.memories) == 2
    for memory in tree.store.memories:
        with pytest.raises(UserError, match="approved already"):
            approve(tree, memory, now=NOW, by="bob")


def test_a_broken_file_takes_no_approval() -> None:
    broken = file("patterns.md", entry("2-0-pattern", kind="pattern", status="nope"))
    tree = _store(broken)
    memory = next(one for one in tree.store.memories if one.path == broken.path)
    with pytest.raises(UserError, match="breaks rules of its format"):
        approve(tree, memory, now=NOW, by="ada")
