from datetime import UTC, datetime

import pytest

from bot.core.edit_plan import FileEdit
from bot.formats.jumpybrain.ids import ensure_ids
from bot.formats.jumpybrain.plans import contents, edits
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.store import documents_of, folder_of, holds, read
from tests.formats.jumpybrain.making import config, file, id_of, text


def test_from_a_store_to_a_plan_and_back() -> None:
    bare = file("app/memory/notes/a.md", "x\n")
    store = read("app", [config("app/memory/jumpybrain.json"), bare])
    assert store is not None
    now = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
    stamped = ensure_ids(contents(store), now=now, new_id=lambda: id_of(1))
    (edit,) = edits(store, stamped.files)
    assert (edit.path, edit.expected_oid) == (bare.path, bare.oid)
    assert edits(store, {"pages/new.md": b"y"}) == (
        FileEdit(path="app/memory/pages/new.md", data=b"y", expected_oid=None),
    )


def test_a_store_of_another_schema_has_nothing_to_plan_on() -> None:
    store = read("", [config(data=b'{"schemaVersion": 2}'), file("memory/notes/a.md", "x")])
    assert store is not None
    with pytest.raises(Refused) as refused:
        contents(store)
    assert refused.value.rule == "schema-too-new"


def test_which_of_two_places_a_store_has() -> None:
    store = read("", [config(), file("memory/notes/a.md", text())])
    assert store is not None
    assert folder_of(store) == "memory"
    assert holds(store, "memory/pages/new.md")
    assert not holds(store, "pages/new.md")
    assert [one.place for one in documents_of(store)] == ["notes/a.md"]
