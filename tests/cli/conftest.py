"""Repositories for the tests of bot/cli."""

from pathlib import Path

import pytest

from tests.git.worktree import WorkTree


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    """An empty repository; the code under test sees no settings of this machine either."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    return WorkTree(tmp_path / "work")
