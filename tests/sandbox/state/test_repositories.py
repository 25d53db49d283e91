"""Repositories as a test or the demo makes them."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.git import GitError
from bot.sandbox.refusal import Refusal


def test_any_local_repository_can_be_imported(github: Sandbox, tmp_path: Path) -> None:
    source = tmp_path / "local"
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (
        ("init", "-q", "-b", "trunk", str(source)),
        ("-C", str(source), "commit", "-q", "--allow-empty", "-m", "Begin"),
        ("-C", str(source), "branch", "side"),
        ("-C", str(source), "tag", "v1"),
    ):
        subprocess.run([*git, *command], check=True)
    repository = github.create_repository("octo/shop")
    repository.import_from(source)
    assert repository.default_branch == "trunk"
    assert repository.git.branches().keys() == {"side", "trunk"}
    assert repository.git.resolve("v1") == repository.git.branch("trunk")


def test_a_commit_with_its_author_and_date(github: Sandbox) -> None:
    repository = github.create_repository("octo/shop", files={"a": "1"})
    date = datetime(2020, 5, 6, 7, 8, 9, tzinfo=UTC)
    sha = repository.commit(
        "main", files={"b": "2"}, author=("Zoe", "zoe@example.org"), login="zoe", date=date
    )
    commit = repository.git.commit_at(sha)
    assert commit is not None
    assert (commit.author.name, commit.author.email, commit.author.date) == (
        "Zoe",
        "zoe@example.org",
        date,
    )
    assert github.world.emails["zoe@example.org"].login == "zoe"


def test_what_cannot_be_is_refused(github: Sandbox) -> None:
    repository = github.create_repository("octo/shop", files={"a": "1"})
    with pytest.raises(GitError):
        repository.branch("main")
    with pytest.raises(GitError):
        repository.delete_branch("none")
    with pytest.raises(Refusal):
        repository.open_pull(head="none")
    with pytest.raises(ValueError, match="owner is not one of"):
        repository.grant("bob", "owner")


def test_a_pull_request_follows_its_branch_only_while_it_is_open(github: Sandbox) -> None:
    repository = github.create_repository("octo/shop", files={"a": "1"})
    repository.branch("feature")
    first = repository.commit("feature", files={"a": "2"})
    pull = repository.open_pull(head="feature")
    pull.close()
    second = repository.commit("feature", files={"a": "3"})
    assert pull.head_sha == first
    pull.reopen()
    assert pull.head_sha == second == repository.git.resolve(f"refs/pull/{pull.number}/head")
