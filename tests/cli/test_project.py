"""A working tree: where its project is, and where paths lead."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli import author
from bot.cli import project as projects
from bot.core.errors import UserError
from bot.formats.cursor.layout import FOLDER as ENTRIES
from tests.cli.running import memory, path_of, run
from tests.formats.cursor import making as cursor
from tests.formats.jumpybrain import making as jumpybrain
from tests.git.worktree import CONFIG, WorkTree

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
OLD = path_of("20261001-old")
NEW = path_of("20261010-new")


def test_a_symlinked_store_is_named(work: WorkTree, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/config.json").write_text("{}")
    (work.path / ".memoryrail").symlink_to(tmp_path / "outside")
    with pytest.raises(UserError, match="is a symbolic link, which is not followed"):
        projects.find(work.path)
    work.write("jumpybrain.json", jumpybrain.CONFIG.decode())
    assert projects.find(work.path).where == "jumpybrain.json"
    with pytest.raises(UserError, match="is a symbolic link, which is not followed"):
        projects.own(work.path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [(".", "src"), ("a.py", "src/a.py"), ("../docs/", "docs"), ("..", "."), ("./x/../y", "src/y")],
)
def test_paths_count_from_the_working_directory(
    project: WorkTree, monkeypatch: pytest.MonkeyPatch, path: str, expected: str
) -> None:
    (project.path / "src").mkdir()
    monkeypatch.chdir(project.path / "src")
    assert projects.located(project.path, path) == expected
    assert projects.located(project.path, str(project.path / "src" / path)) == expected
    with pytest.raises(UserError, match="lies outside of"):
        projects.located(project.path, "../../x")


@pytest.fixture(params=["cursor", "jumpybrain"])
def foreign(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> tuple[WorkTree, str]:
    """A repository whose only memory is of another format, and the folder that it stands in."""
    for name in author.AGENT_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    if request.param == "cursor":
        work.write(
            f"{ENTRIES}/decisions.md", cursor.entry("1745333456-0-decision", kind="decision")
        )
    else:
        work.write("memory/jumpybrain.json", jumpybrain.CONFIG.decode())
        work.write("memory/notes/a.md", jumpybrain.text(1))
    work.commit()
    monkeypatch.chdir(work.path)
    return work, f"{ENTRIES}/" if request.param == "cursor" else "memory/"


def test_what_is_about_our_own_memories_alone_has_nothing_to_do(
    foreign: tuple[WorkTree, str],
) -> None:
    work, folder = foreign
    why = f"{work.path} has memories in {folder} only, and none of MemoryRail: there is no "
    for arguments, said in (
        (["sync"], f"Nothing to write: {why}"),
        (["sync", "--check"], f"Nothing to write: {why}"),
        (["stale"], f"Nothing to compare: {why}"),
        (["stale", "--json"], "[]\n"),
    ):
        done = run(*arguments)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith(said)
    refused = run("add", "decision", "A", "--body", "B")
    assert (refused.exit_code, refused.stderr[: len(why) + 7]) == (2, f"Error: {why}")


def test_a_block_whose_memories_are_gone_is_no_pass(foreign: tuple[WorkTree, str]) -> None:
    work, _ = foreign
    work.write("CLAUDE.md", "<!-- memoryrail:start -->\n<!-- memoryrail:end -->\n")
    done = run("sync", "--check")
    assert done.exit_code == 2
    assert "CLAUDE.md has a block of memories that are not there. " in done.stderr


def test_the_doctor_knows_every_format(foreign: tuple[WorkTree, str]) -> None:
    work, folder = foreign
    work.write(".gitignore", "*.log\n")
    work.write("a.log", "")
    assert run("doctor").stdout == (
        "ok       git            repository work\n"
        f"ok       project        {work.path}\n"
        "ok       memory files   1 memory\n"
        "ok       agent files    none: only memories of MemoryRail are written into them\n"
    )
    work.write(".memoryrail/config.json", CONFIG)
    assert f"memory files   1 memory in {folder} and .memoryrail/\n" in (
        run("doctor").stdout.replace(".memoryrail/ and memory/", "memory/ and .memoryrail/")
    )


def test_a_step_that_another_format_lacks_is_refused_by_name(
    foreign: tuple[WorkTree, str],
) -> None:
    work, folder = foreign
    [one] = projects.find(work.path).memories
    for config in (None, CONFIG):
        if config:
            work.write(".memoryrail/config.json", config)
        for verb in ("archive", "pin", "confirm", "resolve"):
            done = run(verb, one.ref)
            assert done.exit_code == 2
            assert f"{one.ref} ({one.title}) stands in {folder}" in done.stderr
    work.write(path_of("20261001-a"), memory("20261001-a"))
    for arguments in (
        ("supersede", "20261001-a", one.ref),
        ("add", "gotcha", "A", "--body", "B", "--supersedes", one.ref),
    ):
        done = run(*arguments)
        assert done.exit_code == 2
        assert f"stands in {folder}" in done.stderr
