"""The demo does the main job from end to end, on its sample and on any repository."""

import os
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from bot.sandbox.sample import WAITING
from tests.git.worktree import WorkTree, memory, store

README = Path(__file__).parents[2] / "README.md"


def demo(repository: Path) -> Result:
    return CliRunner().invoke(main, ["demo", "--once", "--repo", str(repository)])


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the demo puts its own files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def told_to_end(*_: object) -> None:
    """Be told to end, as by systemd or `kill`, and wait for it."""
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(30)
    pytest.fail("the demo did not end")


def test_the_sample_story_is_told_and_stays_until_somebody_ends_it(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.demo._until_told", told_to_end)
    before = signal.getsignal(signal.SIGTERM)
    result = CliRunner().invoke(main, ["demo"], env={"DEMO": ""}, catch_exceptions=False)
    assert (result.exit_code, list(temporary.iterdir())) == (0, [])
    assert signal.getsignal(signal.SIGTERM) is before
    assert len(result.output.splitlines()) < 220
    first, second, third, fourth = result.output.split("  delivery ")[1:]
    assert "pull_request.opened  answered 202" in first
    assert re.search(r"the bot asked GitHub \d times: .*PullRequest", first)
    assert "watch it in a browser: http://127.0.0.1:" in result.output.partition("  delivery ")[0]
    assert "### MemoryRail: 2 constraints bind this change, and one way of doing it" in first
    assert first.count("    success          memoryrail/") == 4
    assert second.count("    failure          memoryrail/") == 3
    assert "Stripe secret key in `deploy/gateway.env:1`" in second
    assert third.count("    success          memoryrail/") == 4
    assert "| DEC-3743 | Every charge carries the order's id" in third
    assert "citation to look at" not in third
    assert "issue_comment.created  answered 202" in fourth
    assert re.search(r"the bot committed \w{7}: memoryrail: approve DEC-3743 ", fourth)
    assert "2 proposals wait for a maintainer" in third
    assert "1 proposal waits for a maintainer" in fourth
    assert f"| {WAITING} | The gateway answers a repeated key" in third
    assert "/octo/shop/pull/1\nshows the pull request. Comment there, and watch:\n" in fourth
    assert f"  as ada     /memoryrail approve {WAITING}  " in fourth
    assert f"`/memoryrail approve {WAITING}` as ada" in README.read_text("utf-8")
    assert f"  as eve     /memoryrail approve {WAITING}  " in fourth
    assert fourth.count("    success          memoryrail/") == 4
    assert "Done. Nothing was left behind" in fourth


def test_a_story_that_is_cut_short_leaves_nothing_either(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = WorkTree(tmp_path / "mine")
    tree.commit({"src/a.py": "1\n"})
    tree.commit({"src/a.py": "2\n"})
    monkeypatch.setattr("bot.cli.telling.asked", told_to_end)
    result = demo(tree.path)
    assert (result.exit_code, result.stderr) == (130, "")
    assert "\nStopped before the end. Nothing was left behind, and nothing left" in result.stdout
    assert list(temporary.iterdir()) == []


def test_any_repository_does_and_people_can_comment_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = WorkTree(tmp_path / "mine")
    tree.commit(store("", "20260101-one"))
    tree.commit({"src/a.py": "1\n"})
    tree.commit({"src/a.py": "2\n"})
    waits = memory("20260102-two").replace("active", "proposed")
    tree.commit({".memoryrail/memories/20260102-two.md": waits})
    before = tree.git("rev-parse", "--all")
    pages: list[str] = []

    def look(address: str, waiting: Sequence[str]) -> None:
        pages.append(httpx.get(address).text)
        assert len(waiting) == 1

    monkeypatch.setattr("bot.cli.demo._stay", look)
    result = CliRunner().invoke(main, ["demo", "--repo", str(tree.path)], env={"DEMO": ""})
    assert result.exit_code == 0
    assert result.output.count("  checks on ") == 2
    assert "pull_request.synchronize  answered 202" in result.output
    people = re.findall(r'<option value="(.*?)">.*?: (\w+)</option>', pages[0])
    assert people == [("ada", "maintain"), ("bob", "write"), ("eve", "read")]
    assert tree.git("rev-parse", "--all") == before


def test_a_directory_below_the_top_does_and_the_environment_may_say_once(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path / "mine")
    tree.commit({"src/a.py": "1\n"})
    tree.commit({"src/a.py": "2\n"})
    tree.commit({"src/a.py": "3\n"})
    path = str(tree.path / "src")
    result = CliRunner().invoke(main, ["demo", "--repo", path], env={"DEMO": "once"})
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
