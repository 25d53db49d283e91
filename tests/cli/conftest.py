"""Repositories for the tests of bot/cli."""

from pathlib import Path

import pytest

from bot.cli import author
from tests.git.worktree import CONFIG, WorkTree


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    """An empty repository; the code under test sees no settings of this machine either."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    return WorkTree(tmp_path / "work")


@pytest.fixture
def project(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> WorkTree:
    """A project with an empty store, as the working directory of a person."""
    for name in author.AGENT_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    work.write(".memoryrail/config.json", CONFIG)
    monkeypatch.chdir(work.path)
    return work
