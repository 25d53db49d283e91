"""Which memories a pull request adds, changes or removes."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from bot.core.memory_changes import memory_changes
from bot.core.model import Memory
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


def test_who_wrote_that_a_person_stands_behind_a_memory_is_who_added_the_line_last() -> None:
    line = 'confidence: "user-reviewed"'
    claims = dataclasses.replace(NEW, vouched="confidence", lines={"confidence": 2})
    path = NEW.path
    robot, person = {"author": ROBOT, "added": {path: f"---\n{line}"}}, {"added": {path: line}}
    body = {"author": ROBOT, "added": {path: "Other words."}}

    def self_reviewed(*commits: Mapping[str, Any], before: Memory | None = None) -> bool:
        snap = snapshot(
            base=[store(*([before] if before else []))],
            head=[store(claims, texts={path: f"---\r\n{line}\r\n"})],
            files=[file(path)],
            commits=[commit(**fields) for fields in commits],
        )
        return memory_changes(snap)[0].self_reviewed

    assert self_reviewed(robot)
    assert self_reviewed(person, robot)
    assert self_reviewed(robot, {**person, "parents": 2})  # a merge brings what others wrote
    assert self_reviewed({"author": ROBOT, "paths": (path,)})  # lines that nobody has read
    assert self_reviewed({"author": ROBOT, "paths_known": False})
    assert self_reviewed(robot, before=NEW)
    assert not self_reviewed(robot, before=claims)  # as it was
    assert not self_reviewed(robot, person)
    assert not self_reviewed(robot, {"author": ROBOT, "added": {path: line}, "is_ours": True})
    assert not self_reviewed(person, body)
    assert not self_reviewed(person)
