"""memoryrail-bot doctor."""

import json
import shutil

import pytest

from tests.cli.running import memory, path_of, run
from tests.git.worktree import WorkTree


@pytest.fixture
def sound(project: WorkTree) -> WorkTree:
    """A project in which nothing is wrong."""
    project.write(".memoryrail/config.json", '{"version": 1, "review": "agents"}\n')
    project.write(path_of("20261001-a"), memory("20261001-a"))
    run("sync")
    project.commit()
    return project


def found() -> list[tuple[str, str]]:
    """Everything that is not as it should be."""
    result = run("doctor", "--json")
    findings = json.loads(result.stdout)
    wrong = [(one["severity"], one["about"]) for one in findings if one["severity"] != "ok"]
    assert result.exit_code == int(any(severity == "error" for severity, _ in wrong))
    assert all(one["mend"] for one in findings if one["severity"] != "ok")
    return wrong


def test_a_sound_project(sound: WorkTree) -> None:
    assert found() == []
    assert run("doctor").stdout == (
        "ok       git            repository work\n"
        f"ok       project        {sound.path}\n"
        "ok       review gate    on: what agents write waits for a person\n"
        "ok       memory files   1 memory\n"
        "ok       agent files    AGENTS.md, CLAUDE.md and .cursor/rules/memoryrail.mdc in step\n"
    )


def test_what_can_be_wrong_with_the_files(sound: WorkTree) -> None:
    sound.write(".memoryrail/config.json", '{"version": 1}')
    sound.write(path_of("20261002-b"), memory("20261002-b", supersedes='"none"'))
    sound.write(path_of("20261003-c"), "<<<<<<< HEAD\n")
    sound.write("CLAUDE.md", "<!-- memoryrail:start -->\n")
    sound.write(
        "AGENTS.md", "x" * 40_000 + "\n<!-- memoryrail:start -->\n<!-- memoryrail:end -->\n"
    )
    assert found() == [
        ("notice", "review gate"),
        ("error", "memory files"),
        ("warning", "memory files"),
        ("error", "memory files"),
        ("warning", "agent files"),
        ("error", "agent files"),
        ("warning", "agent files"),
        ("warning", "agent files"),
        ("notice", "git"),
    ]


def test_files_that_git_ignores_are_seen_by_nobody(sound: WorkTree) -> None:
    sound.write(".gitignore", ".memoryrail/\n")
    sound.write(path_of("20261002-b"), memory("20261002-b", status="archived"))
    text = run("doctor").stdout
    assert f"nobody else gets to see it: {path_of('20261002-b')}" in text
    assert path_of("20261001-a") not in text


def test_links_that_are_gone(sound: WorkTree) -> None:
    sound.write(path_of("20261002-b"), memory("20261002-b", links='["src/gone.py"]'))
    run("sync")
    sound.commit()
    assert found() == [("warning", "links")]
    assert "gone or changed since: DEC-" in run("doctor").stdout


def test_outside_of_git_and_without_memories(sound: WorkTree) -> None:
    shutil.rmtree(sound.path / ".git")
    assert found() == [("warning", "git")]
    shutil.rmtree(sound.path / ".memoryrail")
    assert found() == [("warning", "git"), ("error", "project")]


@pytest.mark.usefixtures("project")
def test_before_the_first_commit() -> None:
    assert ("warning", "git") in found()
