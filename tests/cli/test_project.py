"""A working tree: where its project is, and where paths lead."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli import project as projects
from bot.core.errors import UserError
from tests.cli.running import path_of
from tests.git.worktree import WorkTree

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
OLD = path_of("20261001-old")
NEW = path_of("20261010-new")


def test_a_symlinked_store_is_named(work: WorkTree, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/config.json").write_text("{}")
    (work.path / ".memoryrail").symlink_to(tmp_path / "outside")
    with pytest.raises(UserError, match="is a symbolic link, which is not followed"):
        projects.find(work.path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [(".", "src"), ("a.py", "src/a.py"), ("../docs/", "docs"), ("..", "."), ("./x/../y", "src/y")],
)
def test_paths_count_from_the_working_directory(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch, path: str, expected: str
) -> None:
    (project.path / "src").mkdir()
    monkeypatch.chdir(project.path / "src")
    assert projects.located(project.path, path) == expected
    assert projects.located(project.path, str(project.path / "src" / path)) == expected
    with pytest.raises(UserError, match="lies outside of"):
        projects.located(project.path, "../../x")
