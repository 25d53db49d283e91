"""The demo does the main job from end to end, on its sample and on any repository."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from tests.git.worktree import WorkTree, store


def demo(repository: Path) -> Result:
    return CliRunner().invoke(main, ["demo", "--once", "--repo", str(repository)])


def test_the_sample_story_is_told_to_its_end() -> None:
    result = CliRunner().invoke(main, ["demo"], env={"DEMO": "once"}, catch_exceptions=False)
    assert result.exit_code == 0
    first, second, third, fourth = result.output.split("  delivery ")[1:]
    assert "pull_request.opened  answered 202" in first
    assert "POST  graphql PullRequest  200" in first
    assert "### MemoryRail: 2 constraints bind this change, and one way of doing it" in first
    assert first.count("    success          memoryrail/") == 4
    assert second.count("    failure          memoryrail/") == 3
    assert "Stripe secret key in `deploy/gateway.env:1`" in second
    assert third.count("    success          memoryrail/") == 4
    assert "| DEC-3743 | Every charge carries the order's id" in third
    assert "citation to look at" not in third
    assert "issue_comment.created  answered 202" in fourth
    assert "signed by GitHub: memoryrail: approve DEC-3743" in fourth
    assert "Waits for a maintainer" in third
    assert "Waits for a maintainer" not in fourth
    assert fourth.count("    success          memoryrail/") == 4
    assert "Done." in fourth


def test_any_repository_does(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path / "mine")
    tree.commit(store("", "20260101-one"))
    tree.commit({"src/a.py": "1\n"})
    tree.commit({"src/a.py": "2\n"})
    before = tree.git("rev-parse", "--all")
    result = demo(tree.path)
    assert result.exit_code == 0
    assert result.output.count("  checks on ") == 2
    assert "pull_request.synchronize  answered 202" in result.output
    assert tree.git("rev-parse", "--all") == before


def test_a_directory_below_the_top_does(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path / "mine")
    tree.commit({"src/a.py": "1\n"})
    tree.commit({"src/a.py": "2\n"})
    tree.commit({"src/a.py": "3\n"})
    result = demo(tree.path / "src")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\nmine: a pull request into main as of 2 commits ago\n" in result.stdout
    assert "\nThe other commit is pushed\n" in result.stdout
    assert "This repository has no project memory" in result.stdout


def test_a_repository_with_nothing_to_show_is_refused_in_one_line(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path / "mine")
    refused = demo(tree.path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == "Error: this repository has no commits yet\n"
    tree.commit({"a": "1\n"})
    refused = demo(tree.path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == (
        f"Error: {tree.path} has a single commit; the demo needs two or more\n"
    )
    tree.git("checkout", "-q", "--detach")
    tree.git("branch", "-D", "main")
    refused = demo(tree.path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "has no local branch; make one: git switch -c demo" in refused.stderr


def test_a_directory_of_no_repository_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    refused = demo(tmp_path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "is not in a git repository" in refused.stderr


def test_without_its_extra_the_demo_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[:2] == ["bot", "sandbox"]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "graphql", None)
    refused = CliRunner().invoke(main, ["demo"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith("Error: the demo needs the extra `sandbox`: pip install ")
    assert refused.stderr.count("\n") == 1


def test_without_git_the_demo_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = CliRunner().invoke(main, ["demo"])
    assert refused.stderr == "Error: the demo needs git, which is not on the PATH\n"
