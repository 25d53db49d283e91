"""memoryrail-bot check, on real repositories."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from tests.git.worktree import WorkTree, memory, store

TOKEN = "sk_live_" + "oHwLMeaZqo9DZDNjN1GTPdVK"
CHECKS = ["memoryrail/precheck", "memoryrail/secrets", "memoryrail/memory", "memoryrail/sync"]


def check(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


@pytest.fixture
def clean(work: WorkTree) -> WorkTree:
    """A branch that changes a file in the ordinary way."""
    work.commit({"src/a.py": "a = 1\n"} | store("", "20260102-one"))
    work.git("checkout", "-q", "-b", "feature")
    work.commit({"src/a.py": "a = 2\n"}, "Count to two")
    return work


def test_a_clean_change(clean: WorkTree) -> None:
    result = check(clean.path)
    assert (result.exit_code, result.stderr) == (0, "")
    base, head = (clean.git("rev-parse", "--short=7", name) for name in ("main", "feature"))
    first, *lines = result.stdout.splitlines()
    assert first == f"What feature ({head}) adds to main ({base}): 1 commit, 1 file."
    assert [line.split()[:2] for line in lines[:4]] == [["ok", name] for name in CHECKS]


def test_no_commits_in_between(clean: WorkTree) -> None:
    sha = clean.git("rev-parse", "--short=7", "main")
    result = check("--base", "main", "--head", "main", clean.path)
    assert result.stdout.startswith(
        f"No commits to review: main ({sha}) has all of main ({sha}).\nok "
    )


def test_the_first_commit_of_all(work: WorkTree) -> None:
    sha = work.commit({"a.txt": "a\n"})[:7]
    assert check(work.path).stdout.startswith(f"All of main ({sha}): 1 commit, 1 file.\n")


def test_a_citation_that_is_asked_for_counts_in_a_commit_message(work: WorkTree) -> None:
    work.commit(
        {
            ".github/memoryrail.yml": "precheck:\n  require: all\n",
            ".memoryrail/memories/20260102-one.md": memory("20260102-one")
            .replace("decision", "constraint")
            .replace('status: "active"', 'status: "active"\nlinks: ["src"]'),
        }
        | store("")
    )
    work.git("checkout", "-q", "-b", "feature")
    work.commit({"src/a.py": "a = 2\n"}, "Count to two")
    result = check(work.path)
    assert result.exit_code == 1
    assert result.stdout.endswith(
        "\nHere a citation counts in a commit message: there is no description yet.\n"
    )


def test_what_is_not_committed_is_noted(clean: WorkTree) -> None:
    clean.commit({"AGENTS.md": "# Ours\n", "CLAUDE.md": "# Ours\n"})
    clean.write("AGENTS.md", "# Changed\n")
    clean.write("CLAUDE.md", "# Ours\r\n")  # as a working tree on Windows has it
    clean.write(".memoryrail/memories/20260102-one.md", memory("20260102-one", body="Changed.\n"))
    clean.write(".memoryrail/memories/20260102-two.md", memory("20260102-two"))
    (clean.path / "src").mkdir(exist_ok=True)
    result = check("--format", "json", clean.path / "src")
    assert json.loads(result.stdout)["checks"]
    assert result.stderr == (
        "Note: 3 files that are not committed were not looked at: "
        ".memoryrail/memories/20260102-one.md, .memoryrail/memories/20260102-two.md, AGENTS.md\n"
    )
    assert check("--head", "feature", clean.path).stderr == ""


def test_a_secret_that_a_later_commit_removes_fails(clean: WorkTree) -> None:
    leaking = clean.commit({"src/conf.py": f'token = "{TOKEN}"\n'}, "Try")
    clean.commit({"src/conf.py": 'token = "from the environment"\n'}, "Hide")
    for format_ in ("text", "json", "markdown", "sarif", "github"):
        result = check("--format", format_, clean.path)
        assert result.exit_code == 1
        assert TOKEN not in result.output
    hits = json.loads(check("--format=json", clean.path).stdout)["secrets"]
    assert [(hit["path"], hit["commit"]) for hit in hits] == [("src/conf.py", leaking)]


def test_json_is_the_whole_output(clean: WorkTree) -> None:
    result = check("--format", "json", "--base", "main", "--head", "feature", clean.path)
    document = json.loads(result.stdout)
    assert [one["name"] for one in document["checks"]] == CHECKS
    assert document["head"] == {"sha": clean.git("rev-parse", "feature")}


def test_sarif_and_the_commands_for_github_are_the_whole_output(clean: WorkTree) -> None:
    clean.commit({"src/conf.py": f'token = "{TOKEN}"\n'})
    run = json.loads(check("--format", "sarif", clean.path).stdout)["runs"][0]
    assert [result["ruleId"] for result in run["results"]] == ["secrets/stripe-key"]
    assert run["tool"]["driver"]["version"] == version("memoryrail-bot")
    first, last = check("--format", "github", clean.path).stdout.splitlines()
    assert first.startswith("::error file=src/conf.py,line=1,title=memoryrail/secrets%3A ")
    assert last.endswith(" 1 error, 0 warnings and 0 notices.")


def test_markdown_ends_with_a_line_end(clean: WorkTree) -> None:
    clean.commit({"src/conf.py": f'token = "{TOKEN}"\n'})
    shown = check("--format", "markdown", clean.path).stdout
    assert shown.endswith("\n")
    assert not shown.endswith("\n\n")


def test_markdown_of_a_change_that_nothing_applies_to(work: WorkTree) -> None:
    work.commit({"a.txt": "a\n"})
    work.commit({"a.txt": "b\n"})
    result = check("--format", "markdown", work.path)
    assert result.stdout == "MemoryRail has nothing to say about this change.\n"
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--base", "nope"], "no commit here is known as 'nope'"),
        (["--head", "--help"], "no commit here is known as '--help'"),
        (["--format", "xml"], "'xml' is not one of"),
    ],
)
def test_what_cannot_be_done(clean: WorkTree, arguments: list[str], problem: str) -> None:
    result = check(*arguments, clean.path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr


def test_an_empty_repository_and_a_missing_directory(work: WorkTree) -> None:
    assert check(work.path).stderr == "Error: this repository has no commits yet\n"
    missing = check(work.path / "missing")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "missing' does not exist." in missing.stderr


def test_hostile_names_do_not_steer_the_terminal(work: WorkTree) -> None:
    work.commit()
    work.write(b"\x1b[31m\xff/\xe2\x80\xae.py", f'token = "{TOKEN}"\n')
    work.commit()
    result = check(work.path)
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in result.stdout
