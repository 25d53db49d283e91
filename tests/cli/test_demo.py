"""The demo does the main job from end to end, on its sample and on any repository."""

from pathlib import Path

from click.testing import CliRunner

from bot.cli.demo import command
from tests.git.worktree import WorkTree, store


def test_the_sample_story_is_told_to_its_end() -> None:
    result = CliRunner().invoke(command, catch_exceptions=False)
    assert result.exit_code == 0
    first, second, third = result.output.split("  delivery ")[1:]
    assert "pull_request.opened  answered 202" in first
    assert "POST  graphql PullRequest  200" in first
    assert "### MemoryRail: 2 constraints bind this change, and one way of doing it" in first
    assert first.count("    success          memoryrail/") == 4
    assert second.count("    failure          memoryrail/") == 3
    assert "Stripe secret key in `deploy/gateway.env:1`" in second
    assert third.count("    success          memoryrail/") == 4
    assert "| DEC-3743 | Every charge carries the order's id" in third
    assert "citation to look at" not in third
    assert "Done." in third


def test_any_repository_does(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path / "mine")
    tree.commit(store("", "20260101-one"))
    tree.commit({"src/a.py": "1\n"})
    tree.commit({"src/a.py": "2\n"})
    before = tree.git("rev-parse", "--all")
    result = CliRunner().invoke(command, ["--repo", str(tree.path)], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.count("  checks on ") == 2
    assert "pull_request.synchronize  answered 202" in result.output
    assert tree.git("rev-parse", "--all") == before


def test_a_single_commit_is_too_little(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path / "mine")
    tree.commit({"a": "1\n"})
    result = CliRunner().invoke(command, ["--repo", str(tree.path)])
    assert result.exit_code == 1
    assert "the demo needs two or more" in result.output
