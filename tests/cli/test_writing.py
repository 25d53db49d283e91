"""Plans that are carried out in a working tree."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli import project as projects
from bot.cli import writing
from bot.core.errors import UserError
from bot.core.model import MemoryType
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.create import Draft, create
from tests.cli.running import files_of, memory, path_of
from tests.git.worktree import WorkTree, store

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
OLD = path_of("20261001-old")
NEW = path_of("20261010-new")


def test_a_new_file_never_replaces_one_that_came_meanwhile(project: WorkTree) -> None:
    found = projects.find(project.path)
    plan = create(found.tree, Draft(type=MemoryType.DECISION, title="New"), now=NOW, by_agent=False)
    project.write(NEW, "theirs")
    with pytest.raises(UserError, match="has changed meanwhile"):
        writing.carry_out(found, plan)
    assert files_of(project.path)[NEW] == "theirs"


@pytest.mark.parametrize("links", [True, False], ids=["hard links", "no hard links"])
def test_a_file_that_comes_at_the_last_moment_stays(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    found = projects.find(project.path)
    plan = create(found.tree, Draft(type=MemoryType.DECISION, title="New"), now=NOW, by_agent=False)
    link = Path.hardlink_to

    def late(path: Path, target: Path) -> None:
        project.write(NEW, "theirs")
        if not links:
            raise OSError(95, "Operation not supported")
        link(path, target)

    monkeypatch.setattr(Path, "hardlink_to", late)
    with pytest.raises(UserError, match="cannot be written: File exists"):
        writing.carry_out(found, plan)
    assert files_of(project.path)[NEW] == "theirs"
    assert len(list((project.path / ".memoryrail/memories").iterdir())) == 1


def test_without_hard_links_a_new_file_is_written_too(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = projects.find(project.path)
    plan = create(found.tree, Draft(type=MemoryType.DECISION, title="New"), now=NOW, by_agent=False)

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    writing.carry_out(found, plan)
    assert 'title: "New"' in files_of(project.path)[NEW]


def test_a_file_that_changed_meanwhile_is_not_overwritten(project: WorkTree) -> None:
    project.write(OLD, memory("20261001-old"))
    found = projects.find(project.path)
    plan = lifecycle.archive(found.tree, found.store.memories[0], now=NOW)
    project.write(OLD, memory("20261001-old") + "More.\n")
    before = files_of(project.path)
    with pytest.raises(UserError, match="has changed meanwhile"):
        writing.carry_out(found, plan)
    assert files_of(project.path) == before


def test_a_folder_that_is_a_symlink_is_not_written_through(
    project: WorkTree, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (project.path / ".memoryrail/memories").symlink_to(tmp_path / "outside")
    found = projects.find(project.path)
    plan = create(found.tree, Draft(type=MemoryType.DECISION, title="New"), now=NOW, by_agent=False)
    with pytest.raises(UserError, match="reached through a symlinked directory"):
        writing.carry_out(found, plan)
    assert not list((tmp_path / "outside").iterdir())


def test_the_stores_at_some_directories(work: WorkTree) -> None:
    for name, content in {**store("", "one"), **store("pkg/", "two")}.items():
        work.write(name, content or "")
    (work.path / "link").symlink_to("pkg")
    found = projects.stores(work.path, ["", "link", "missing", "pkg"])
    assert [(one.root, [memory.path for memory in one.memories]) for one in found] == [
        ("", [".memoryrail/memories/one.md"]),
        ("pkg", ["pkg/.memoryrail/memories/two.md"]),
    ]


def test_when_a_later_file_cannot_be_written_none_is(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(OLD, memory("20261001-old"))
    found = projects.find(project.path)
    draft = Draft(type=MemoryType.DECISION, title="New", supersedes=found.store.memories[0])
    plan = create(found.tree, draft, now=NOW, by_agent=False)
    before = files_of(project.path)
    synced: list[int] = []

    def full(number: int) -> None:
        synced.append(number)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UserError, match=r"cannot be written: No space left on device$"):
        writing.carry_out(found, plan)
    assert files_of(project.path) == before


def test_a_long_name_can_be_edited(project: WorkTree) -> None:
    id_ = "20261001-" + "x" * 240
    project.write(path_of(id_), memory(id_))
    found = projects.find(project.path)
    writing.carry_out(found, lifecycle.archive(found.tree, found.store.memories[0], now=NOW))
    assert 'status: "archived"' in files_of(project.path)[path_of(id_)]
