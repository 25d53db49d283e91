"""memoryrail-bot add, on real directories."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.running import files_of, memory, path_of, run
from tests.git.worktree import WorkTree

KEY = "AK" + "IA" + "Q7XK2M5VN3JPRT4C"


def added(*arguments: str, stdin: str | bytes | None = None, **env: str) -> tuple[int, str]:
    """Exit code and standard error."""
    result = run("add", *arguments, stdin=stdin, env=env)
    return result.exit_code, result.stderr


def only(project: WorkTree) -> str:
    """The one memory file of a project."""
    [path] = (project.path / ".memoryrail/memories").iterdir()
    return path.read_text()


def test_a_memory_is_written_and_named(project: WorkTree) -> None:
    (project.path / "src/db").mkdir(parents=True)
    result = run(
        *("add", "decision", "Use Drizzle over Prisma", "--body", "Edge needs it."),
        *("--tag", "db", "--tag", "edge", "--link", "src/db", "--pinned"),
    )
    assert (result.exit_code, result.stderr) == (0, "")
    first, wrote = result.stdout.splitlines()
    assert first.startswith("added DEC-")
    assert first.endswith("  Use Drizzle over Prisma")
    path = project.path / wrote.removeprefix("  wrote ")
    text = path.read_text()
    assert f'id: "{path.stem}"' in text
    assert 'tags: ["db", "edge"]\nlinks: ["src/db"]\npinned: true\n---\n\nEdge needs it.\n' in text
    assert run("list").stdout.count("Use Drizzle over Prisma") == 1


def test_a_body_from_a_file_or_standard_input(project: WorkTree, tmp_path: Path) -> None:
    (tmp_path / "body.md").write_bytes(b"\xef\xbb\xbfOne.\r\nTwo.\r\n")
    assert added("decision", "A", "--body-file", str(tmp_path / "body.md")) == (0, "")
    assert only(project).endswith("---\n\nOne.\nTwo.\n")
    assert added("gotcha", "B", "--body", "-", stdin="From a pipe.\n") == (0, "")
    assert any("From a pipe.\n" in text for text in files_of(project.path).values())


@pytest.mark.parametrize(
    ("arguments", "stdin", "says"),
    [
        ((), None, "there is no terminal to open an editor on"),
        (("--body", "a", "--body-file", "b"), None, "not by both"),
        (("--body-file", "missing.md"), None, "missing.md cannot be read: No such file"),
        (("--body", "-"), b"\xff", "standard input is not UTF-8 (byte 0)"),
        (("--body", "-"), b"x" * ((1 << 20) + 1), "holds more than 1 MiB"),
        (("--body", "", "--link", "../x"), None, "../x lies outside of"),
        (("--body", "", "--link", "https://x.y/z"), None, "put addresses in the body"),
        (("--body", "", "--supersedes", "DEC-0000"), None, "There is no memory DEC-0000"),
        (("--body", KEY), None, "aws-access-key-id"),
        (("--body", KEY, "--allow-secret"), None, "Only a person at a terminal"),
        (("--body", KEY, "--allow-secret", "--agent"), None, "--agent says that an agent writes"),
    ],
)
def test_what_cannot_be_added(
    project: WorkTree, arguments: tuple[str, ...], stdin: bytes | None, says: str
) -> None:
    before = files_of(project.path)
    code, error = added("decision", "A title", *arguments, stdin=stdin)
    assert (code, files_of(project.path)) == (2, before)
    assert says in error
    assert KEY not in error


def test_a_person_at_a_terminal_may_insist(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.author.is_at_a_terminal", lambda: True)
    assert added("decision", "A", "--body", KEY, "--allow-secret") == (0, "")
    assert KEY in only(project)
    assert "Only a person may" in added("decision", "B", "--allow-secret", CLAUDECODE="1")[1]


@pytest.mark.parametrize(
    ("arguments", "env", "status"),
    [
        ((), {}, "active"),
        (("--agent",), {}, "proposed"),
        ((), {"CLAUDECODE": "1"}, "proposed"),
        ((), {"CURSOR_AGENT": "1"}, "proposed"),
        (("--proposed",), {}, "proposed"),
    ],
)
def test_the_review_gate(
    project: WorkTree, arguments: tuple[str, ...], env: dict[str, str], status: str
) -> None:
    project.write(".memoryrail/config.json", json.dumps({"version": 1, "review": "agents"}))
    result = run("add", "decision", "A", "--body", "", *arguments, env=env)
    assert f'status: "{status}"' in only(project)
    assert ("It waits for a person: memoryrail-bot approve DEC-" in result.stdout) == (
        status == "proposed"
    )


def test_links_count_from_the_working_directory(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.path / "src/deep").mkdir(parents=True)
    monkeypatch.chdir(project.path / "src/deep")
    assert added("decision", "A", "--body", "", "--link", "..", "--link", "a.py") == (
        0,
        "Note: nothing is at src/deep/a.py yet.\n",
    )
    assert 'links: ["src", "src/deep/a.py"]' in only(project)


def test_superseding_writes_both_sides_and_the_blocks(project: WorkTree) -> None:
    project.write(path_of("20261001-old"), memory("20261001-old"))
    run("sync")
    result = run("add", "decision", "New", "--body", "", "--supersedes", "20261001-old")
    assert [line.split("/")[-1] for line in result.stdout.splitlines() if "wrote" in line] == [
        "memoryrail.mdc",
        "20261001-old.md",
        result.stdout.splitlines()[3].split("/")[-1],
        "  wrote AGENTS.md",
        "  wrote CLAUDE.md",
    ]
    assert 'status: "superseded"' in files_of(project.path)[path_of("20261001-old")]
    assert run("sync", "--check").exit_code == 0
    assert run("lint").exit_code == 0


def test_a_dry_run_shows_the_file_and_writes_nothing(project: WorkTree) -> None:
    before = files_of(project.path)
    result = run("add", "decision", "A", "--body", "Why.", "--dry-run")
    assert result.stdout.startswith("diff --git a/.memoryrail/memories/")
    assert "+Why.\n" in result.stdout
    assert files_of(project.path) == before


def test_the_editor_is_asked_for_a_body(project: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.add.is_at_a_terminal", lambda: True)
    monkeypatch.setattr("click.edit", lambda text, **_: f"Because.\n{text}")
    assert added("decision", "A") == (0, "")
    assert only(project).endswith("---\n\nBecause.\n")
    monkeypatch.setattr("click.edit", lambda *_, **__: None)
    assert added("decision", "B") == (2, "Error: nothing was saved, so nothing was written\n")


def test_an_id_of_another_store_is_taken(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 10, 10, tzinfo=UTC)
    monkeypatch.setattr("bot.cli.moves.now", lambda: now)
    project.write("app/.memoryrail/config.json", '{"version": 1}')
    project.write(f"app/{path_of('20261010-A')}", memory("20261010-A"))
    project.commit()
    assert added("decision", "A", "--body", "") == (0, "")
    assert path_of("20261010-a-2") in files_of(project.path)


def test_what_replaces_something_durable_waits_too(project: WorkTree) -> None:
    """Behind the gate no session of an agent's takes a constraint away."""
    project.write(".memoryrail/config.json", '{"version": 1, "review": "agents"}')
    project.write(path_of("20261001-rule"), memory("20261001-rule", "constraint"))
    arguments = ("session", "Done", "--body", "", "--supersedes", "20261001-rule", "--agent")
    result = run("add", *arguments)
    assert "It waits for a person" in result.stdout
    assert 'status: "active"' in files_of(project.path)[path_of("20261001-rule")]


def test_an_id_of_the_store_at_the_root_is_taken(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 10, 10, tzinfo=UTC)
    monkeypatch.setattr("bot.cli.moves.now", lambda: now)
    project.write("app/.memoryrail/config.json", '{"version": 1}')
    project.write(path_of("20261010-a"), memory("20261010-a"))
    project.commit()
    monkeypatch.chdir(project.path / "app")
    assert added("decision", "A", "--body", "") == (0, "")
    assert f"app/{path_of('20261010-a-2')}" in files_of(project.path)


@pytest.mark.usefixtures("project")
def test_a_link_that_no_file_system_takes() -> None:
    code, error = added("decision", "A", "--body", "", "--link", "x" * 300)
    assert (code, "nothing is at x" in error) == (0, True)
