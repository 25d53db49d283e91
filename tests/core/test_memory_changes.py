"""Which memories a pull request adds, changes or removes."""

import dataclasses

from bot.core.memory_changes import memory_changes
from bot.core.report import ChangeKind, MemoryChange
from bot.core.snapshot import Snapshot
from tests.making import ROBOT, commit, file, memory, snapshot, store

OLD = memory()
NEW = memory("20261002-new", title="New")
CONFIG = ".memoryrail/config.json"


def kinds(snap: Snapshot) -> list[tuple[str, str]]:
    return [(change.path, change.kind.value) for change in memory_changes(snap)]


def test_a_change_names_both_versions() -> None:
    reworded = dataclasses.replace(OLD, title="Other")
    snap = snapshot(base=[store(OLD)], head=[store(reworded)], files=[file(OLD.path)])
    assert memory_changes(snap) == (
        MemoryChange(kind=ChangeKind.CHANGED, path=OLD.path, before=OLD, after=reworded),
    )


def test_a_change_knows_the_memory_that_it_replaces_and_is_replaced_by() -> None:
    old = dataclasses.replace(OLD, superseded_by=NEW.id)
    new = dataclasses.replace(NEW, supersedes=OLD.id)
    lost = dataclasses.replace(NEW, supersedes="20250101-none")
    files = [file(OLD.path), file(NEW.path, "added")]
    changes = memory_changes(snapshot(base=[store(OLD)], head=[store(old, new)], files=files))
    assert [(one.supersedes, one.superseded_by) for one in changes] == [(None, new), (old, None)]
    snap = snapshot(base=[store(OLD)], head=[store(OLD, lost)], files=files[1:])
    assert [one.supersedes for one in memory_changes(snap)] == [None]


def test_what_only_the_base_has_changed_meanwhile_is_no_change() -> None:
    snap = snapshot(base=[store(OLD, NEW)], head=[store(OLD)], files=[file("src/a.py")])
    assert kinds(snap) == []


def test_a_store_that_appears_brings_all_that_lay_there() -> None:
    snap = snapshot(
        base=[],
        head=[store(OLD, NEW)],
        files=[file(CONFIG, "added")],
        commits=[commit(author=ROBOT, paths=(CONFIG,))],
    )
    assert kinds(snap) == [(OLD.path, "added"), (NEW.path, "added")]
    assert all(change.by_agent for change in memory_changes(snap))


def test_a_store_that_goes_takes_all_its_memories_away() -> None:
    snap = snapshot(base=[store(OLD, NEW)], head=[], files=[file(CONFIG, "removed")])
    assert kinds(snap) == [(OLD.path, "removed"), (NEW.path, "removed")]


def test_a_file_that_becomes_a_memory_or_stops_being_one() -> None:
    arrives = file(NEW.path, "renamed", previous_path="notes/new.md")
    leaves = file("notes/old.md", "renamed", previous_path=OLD.path)
    snap = snapshot(base=[store(OLD)], head=[store(NEW)], files=[arrives, leaves])
    assert kinds(snap) == [(OLD.path, "removed"), (NEW.path, "added")]


def test_a_renamed_memory_is_one_change() -> None:
    moved = dataclasses.replace(OLD, id="20261001-x", path=".memoryrail/memories/20261001-x.md")
    snap = snapshot(
        base=[store(OLD)],
        head=[store(moved)],
        files=[file(moved.path, "renamed", previous_path=OLD.path)],
    )
    (change,) = memory_changes(snap)
    assert (change.kind, change.before, change.after) == (ChangeKind.CHANGED, OLD, moved)
