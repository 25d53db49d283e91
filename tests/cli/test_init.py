"""memoryrail-bot init."""

import json
from pathlib import Path

import pytest

from tests.cli.running import files_of, run
from tests.git.worktree import WorkTree


def test_a_directory_becomes_a_project(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.path)
    result = run("init", "--review", "agents")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads((work.path / ".memoryrail/config.json").read_text()) == {
        "version": 1,
        "review": "agents",
    }
    assert "memoryrail-bot add decision" in result.stdout
    assert run("lint").stdout == "0 memory files, nothing wrong.\n"
    again = run("init")
    assert again.exit_code == 2
    assert "config.json is there already" in again.stderr


def test_a_part_of_a_repository(work: WorkTree) -> None:
    (work.path / "app").mkdir()
    result = run("init", str(work.path / "app"))
    assert result.exit_code == 0
    assert "bind what lies below" in result.stderr
    assert list(files_of(work.path)) == ["app/.memoryrail/config.json"]


def test_a_symlink_is_not_written_through(work: WorkTree, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (work.path / ".memoryrail").symlink_to(tmp_path / "outside")
    assert run("init", str(work.path)).exit_code == 2
    assert not list((tmp_path / "outside").iterdir())
