"""Which memory another one may replace, and what either side says then."""

from typing import Any

import pytest

from bot.core.model import TreeFile
from bot.core.refs import resolve
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.conditions import CannotReplace
from bot.formats.memoryrail.store_tree import StoreTree, after
from tests.formats.memoryrail.trees import CONFIG, NEW, NOW, OLD, memory_file, plan, store_tree

BY_NEW = memory_file("20261001-old", "superseded", superseded_by="20261009-new")


@pytest.mark.parametrize("status", ["archived", "resolved"])
def test_a_memory_that_no_longer_binds_can_be_superseded(status: str) -> None:
    found = store_tree([CONFIG, memory_file("20261001-old", status), NEW])
    now = after(found, plan("approve", found, "20261009-new"))
    assert [memory.status.value for memory in now.store.memories] == ["superseded", "active"]


def test_an_old_memory_that_already_names_its_successor_stays_as_it_is() -> None:
    found = store_tree([CONFIG, BY_NEW, NEW])
    assert [edit.path for edit in plan("approve", found, "20261009-new").edits] == [NEW.path]


def pair(old: TreeFile, new: TreeFile, *more: TreeFile) -> tuple[StoreTree, list[Any]]:
    found = store_tree([CONFIG, old, new, *more])
    return found, [resolve(found.store.memories, id_) for id_ in ("20261001-old", "20261009-new")]


def test_a_memory_that_is_there_can_supersede_another() -> None:
    found, (old, new) = pair(OLD, memory_file("20261009-new", "active"))
    planned = lifecycle.supersede(found, old, new, now=NOW)
    one, other = after(found, planned).store.memories
    assert (one.status, one.superseded_by, other.supersedes) == (
        "superseded",
        "20261009-new",
        "20261001-old",
    )
    assert one.updated == other.updated == "2026-10-10T17:30:00.000Z"


def test_a_proposal_only_notes_what_it_is_to_supersede() -> None:
    found, (old, new) = pair(OLD, memory_file("20261009-new", "proposed"))
    planned = lifecycle.supersede(found, old, new, now=NOW)
    assert [edit.path for edit in planned.edits] == [new.path]
    assert after(found, planned).store.memories[1].supersedes == "20261001-old"


@pytest.mark.parametrize(
    ("new", "says"),
    [
        (memory_file("20261009-new", "active", supersedes="20261005-other"), "replaces 20261005"),
        (memory_file("20261009-new", "archived"), "is archived"),
    ],
)
def test_what_cannot_supersede(new: TreeFile, says: str) -> None:
    found, (old, memory) = pair(OLD, new)
    with pytest.raises(CannotReplace, match=says):
        lifecycle.supersede(found, old, memory, now=NOW)


def test_no_memory_supersedes_its_own_successor() -> None:
    old = memory_file("20261001-old", "active", supersedes="20261003-between")
    between = memory_file("20261003-between", "superseded", supersedes="20261009-new")
    found, (first, new) = pair(old, memory_file("20261009-new", "active"), between)
    with pytest.raises(CannotReplace, match="was replaced by"):
        lifecycle.supersede(found, first, new, now=NOW)
    proposal = memory_file("20261009-new", "proposed", supersedes="20261001-old")
    with pytest.raises(CannotReplace, match="was replaced by"):
        plan("approve", store_tree([CONFIG, old, proposal, between]), "20261009-new")
