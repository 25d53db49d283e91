"""What others run this program by: the hooks for pre-commit and the example for GitHub Actions."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from pre_commit.clientlib import load_manifest

from bot.cli import main

ROOT = Path(__file__).parents[1]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
PROGRAM = "memoryrail-bot"


def accept(line: str) -> click.Context:
    """Parse a command line as the program does, without running it; what it leads to is cut off."""
    words = shlex.shlex(line, posix=True, punctuation_chars="<>|&;")
    words.whitespace_split = True
    program, name, *rest = words
    end = next((at for at, word in enumerate(rest) if word in {">", ">>", "<", "||"}), len(rest))
    assert program.rpartition("/")[2] == PROGRAM
    with click.Context(main) as context:
        command = main.get_command(context, name)
        assert command is not None, name
        return command.make_context(name, rest[:end])


def hooks() -> dict[str, dict[str, Any]]:
    return {hook["id"]: hook for hook in load_manifest(str(MANIFEST))}


def test_pre_commit_takes_the_hooks() -> None:
    assert [(hook["id"], hook["stages"]) for hook in hooks().values()] == [
        ("memoryrail-sync", ["pre-commit", "manual"]),
        ("memoryrail-precheck", ["commit-msg"]),
        ("memoryrail-check", ["pre-push", "manual"]),
    ]
    assert {hook["language"] for hook in hooks().values()} == {"python"}


@pytest.mark.parametrize("hook", hooks().values(), ids=hooks())
def test_the_program_takes_what_a_hook_passes(hook: dict[str, Any]) -> None:
    """Only precheck is given a file: the one with the message of the commit."""
    passed = " .git/COMMIT_EDITMSG" if hook["pass_filenames"] else ""
    parsed = accept(hook["entry"] + passed).params
    if hook["id"] == "memoryrail-precheck":
        assert (parsed["staged"], parsed["fail"]) == (True, True)
        assert parsed["files"] == (".git/COMMIT_EDITMSG",)
    else:
        assert not passed


@pytest.mark.parametrize(
    ("path", "runs"),
    [
        (".memoryrail/memories/20260102-one.md", True),
        ("services/billing/.memoryrail/config.json", True),
        ("AGENTS.md", True),
        (".cursor/rules/memoryrail.mdc", True),
        ("docs/MYAGENTS.md", False),
        ("src/a.py", False),
    ],
)
def test_sync_runs_where_it_can_find_something(path: str, *, runs: bool) -> None:
    assert bool(re.search(hooks()["memoryrail-sync"]["files"], path)) is runs


def workflow() -> dict[Any, Any]:
    """The example, where `on` is true: YAML 1.1 takes it for a truth value."""
    loaded: dict[Any, Any] = yaml.safe_load((ROOT / "deploy/memoryrail-check.yml").read_text())
    return loaded


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = workflow()["jobs"]["memoryrail"]["steps"]
    return found


def test_the_workflow_trusts_nobody() -> None:
    example = workflow()
    assert example[True] == "pull_request"
    assert example["permissions"] == {}
    job = example["jobs"]["memoryrail"]
    assert job["permissions"] == {"contents": "read", "security-events": "write"}
    own, program = (step["with"] for step in steps() if "checkout@" in step.get("uses", ""))
    assert own == {"fetch-depth": 0, "persist-credentials": False}
    assert (program["ref"], program["persist-credentials"]) == ("COMMIT", False)
    for step in steps():
        assert "${{" not in step.get("run", ""), "a branch's name would be run by the shell"


def test_the_program_takes_each_line_of_the_workflow() -> None:
    lines = [step["run"] for step in steps() if step.get("run", "").startswith(PROGRAM)]
    assert [accept(line).params["format_"] for line in lines] == ["github", "markdown", "sarif"]
    written, uploaded = lines[-1], steps()[-1]["with"]["sarif_file"]
    assert "$RUNNER_TEMP/memoryrail.sarif" in written
    assert uploaded == "${{ runner.temp }}/memoryrail.sarif"
    assert [step["if"] for step in steps()[-3:]] == ["always()"] * 3


def documented() -> Iterator[str]:
    readme = (ROOT / "README.md").read_text("utf-8")
    text = readme.partition("\n## On your machine and in builds\n")[2].partition("\n## ")[0]
    for block in re.findall(r"^ *```[a-z]*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if found := re.match(rf"(?:exec )?((?:\S*/)?{PROGRAM} [a-z].*)", line.strip()):
                yield found[1]


@pytest.mark.parametrize("line", list(documented()))
def test_the_program_takes_each_line_of_the_readme(line: str) -> None:
    accept(line)
