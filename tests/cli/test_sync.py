"""memoryrail-bot sync, on real directories."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import main, project
from bot.core.model import MemoryType, short_ref
from tests.git.worktree import CONFIG, WorkTree, memory

FILES = ("AGENTS.md", "CLAUDE.md", ".cursor/rules/memoryrail.mdc")


@pytest.fixture
def store(work: WorkTree) -> Path:
    """A project with one memory."""
    work.write(".memoryrail/config.json", CONFIG)
    work.write(".memoryrail/memories/20260102-one.md", memory("20260102-one"))
    return work.path


def sync(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["sync", *map(str, arguments)])


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git/" not in path.as_posix()
    }


WRITTEN = "".join(f"{name}: written\n" for name in FILES)


def test_the_first_time_all_three_files_are_made(store: Path) -> None:
    check = sync("--check", store)
    missing = "".join(f"{name}: missing\n" for name in FILES)
    assert (check.exit_code, check.stdout) == (1, missing)
    assert sync(store).stdout == WRITTEN
    assert (store / FILES[2]).read_text().startswith("---\ndescription: ")
    check = sync("--check", store)
    assert (check.exit_code, check.stdout) == (0, "All in step.\n")


def test_later_only_files_that_are_there_are_written(store: Path) -> None:
    (store / "CLAUDE.md").write_text("# Ours\n")
    check = sync("--check", store)
    assert (check.exit_code, "CLAUDE.md: has no block\n" in check.stdout) == (1, True)
    assert sync(store).stdout == WRITTEN
    (store / "AGENTS.md").unlink()
    (store / ".memoryrail/memories/20260102-two.md").write_text(memory("20260102-two"))
    assert sync(store).stdout == "CLAUDE.md: written\n.cursor/rules/memoryrail.mdc: written\n"
    assert not (store / "AGENTS.md").exists()
    assert sync("--check", store).exit_code == 0


@pytest.mark.parametrize(
    "text", ["@AGENTS.md\n", "# Claude\n\nSee @./AGENTS.md first.\n", "Read AGENTS.md.\n"]
)
def test_a_file_that_only_points_to_agents_md_needs_no_block(store: Path, text: str) -> None:
    (store / "CLAUDE.md").write_text(text)
    assert sync(store).stdout == "AGENTS.md: written\n.cursor/rules/memoryrail.mdc: written\n"
    assert (store / "CLAUDE.md").read_text() == text
    assert sync("--check", "--all", store).stdout == "All in step.\n"


def test_one_more_file_may_be_named(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(store / ".memoryrail")
    extra = "../.github/copilot-instructions.md"
    assert sync("--check", "--also", extra).exit_code == 1
    assert sync("--also", extra).stdout == f"{WRITTEN}.github/copilot-instructions.md: written\n"
    assert b"Title of 20260102-one" in (store / ".github/copilot-instructions.md").read_bytes()
    assert sync("--check", "--also", extra).exit_code == 0
    (store / ".github/copilot-instructions.md").write_text("gone\n")
    assert sync("--check").exit_code == 0
    check = sync("--check", "--also", extra)
    assert (check.exit_code, check.stdout) == (
        1,
        ".github/copilot-instructions.md: has no block\n",
    )


@pytest.mark.parametrize(
    "path", ["../outside.md", "/etc/motd", ".", ".git/config", ".memoryrail/memories/x.md"]
)
def test_where_no_block_may_stand(store: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(store)
    before = tree(store)
    result = sync("--also", path)
    assert (result.exit_code, tree(store)) == (2, before)
    assert path in result.stderr


def test_a_block_beside_the_root_of_the_repository(
    work: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store further down may show its memories in a file of the repository."""
    work.write("app/.memoryrail/config.json", CONFIG)
    work.write("app/.memoryrail/memories/20260102-one.md", memory("20260102-one"))
    monkeypatch.chdir(work.path / "app")
    assert sync("--also", "../NOTES.md").stdout == f"{WRITTEN}../NOTES.md: written\n"
    assert "Title of 20260102-one" in (work.path / "NOTES.md").read_text()


def test_a_large_file_is_warned_of(store: Path) -> None:
    sync(store)
    (store / "AGENTS.md").write_text("x" * 40_000)
    result = sync(store)
    assert result.exit_code == 0
    assert "AGENTS.md has 4" in result.stderr
    assert "32,768" in result.stderr


@pytest.mark.parametrize("hide", ["folder", "memory", "link"])
def test_memories_that_cannot_be_read_empty_no_block(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hide: str
) -> None:
    """Also for root, who may read everything: the system's refusal is made up."""
    sync(store)
    before = tree(store)
    memories = store / ".memoryrail/memories"
    if hide == "link":
        memories.rename(tmp_path / "elsewhere")
        memories.symlink_to(tmp_path / "elsewhere")
    elif hide == "folder":
        listed = os.scandir

        def refuse(path: str) -> object:
            if str(path).endswith("memories"):
                raise PermissionError(13, "Permission denied", str(path))
            return listed(path)

        monkeypatch.setattr("os.scandir", refuse)
    else:
        read = Path.read_bytes

        def deny(path: Path) -> bytes:
            if path.name == "20260102-one.md":
                raise PermissionError(13, "Permission denied", str(path))
            return read(path)

        monkeypatch.setattr(Path, "read_bytes", deny)
    result = sync(store)
    assert (result.exit_code, result.stdout) == (1, "")
    assert ".memoryrail/memories" in result.stderr
    assert "Nothing was compared or written" in result.stderr
    monkeypatch.undo()
    assert {name: before[name] for name in FILES} == {name: tree(store)[name] for name in FILES}


def test_a_file_without_a_block_is_no_fault_beside_one_with_a_block(store: Path) -> None:
    sync(store)
    (store / "CLAUDE.md").write_text("# Ours\n")
    check = sync("--check", store)
    assert (check.exit_code, check.stdout) == (0, "CLAUDE.md: has no block\n")
    assert sync("--check", "--all", store).exit_code == 1


def test_all_files_are_written_on_demand_and_then_in_step(store: Path) -> None:
    first = sync("--all", store)
    assert (first.exit_code, first.stdout) == (0, "".join(f"{name}: written\n" for name in FILES))
    assert all(b"Title of 20260102-one" in (store / name).read_bytes() for name in FILES)
    written = tree(store)
    again = sync("--all", store)
    assert (again.exit_code, again.stdout, tree(store)) == (0, "All in step.\n", written)
    assert sync("--check", "--all", store).exit_code == 0


def test_check_writes_nothing(store: Path) -> None:
    (store / "AGENTS.md").write_text("<!-- memoryrail:start -->\n<!-- memoryrail:end -->\n")
    sync(store)
    (store / ".memoryrail/memories/20260102-two.md").write_text(memory("20260102-two"))
    before = tree(store)
    result = sync("--check", "--all", store)
    assert result.exit_code == 1
    assert result.stdout == (
        "AGENTS.md: out of step\nCLAUDE.md: missing\n.cursor/rules/memoryrail.mdc: missing\n"
    )
    assert tree(store) == before


def test_from_a_directory_below(store: Path) -> None:
    (store / "src/deep").mkdir(parents=True)
    assert sync(store / "src/deep").exit_code == 0
    assert (store / "AGENTS.md").is_file()


def test_text_outside_the_block_and_the_mode_stay(store: Path) -> None:
    (store / "AGENTS.md").write_bytes(b"# Ours\r\n\r\n\xff\r\n")
    (store / "AGENTS.md").chmod(0o640)
    assert sync(store).exit_code == 0
    assert (store / "AGENTS.md").read_bytes().startswith(b"# Ours\r\n\r\n\xff\r\n")
    assert (store / "AGENTS.md").stat().st_mode & 0o777 == 0o640


def test_where_one_file_is_damaged_none_is_written(store: Path) -> None:
    (store / "CLAUDE.md").write_text("text\n<!-- memoryrail:start -->\n")
    before = tree(store)
    result = sync(store)
    assert result.exit_code == 2
    assert result.stderr == "Error: CLAUDE.md:2: the block that begins here has no end\n"
    assert tree(store) == before
    check = sync("--check", store)
    assert (check.exit_code, check.stderr) == (1, "")
    assert check.stdout == "CLAUDE.md:2: the block that begins here has no end\n"


def test_every_file_that_cannot_be_written_is_named(store: Path, tmp_path: Path) -> None:
    (store / "AGENTS.md").write_bytes(b"one\ntwo\0\n")
    (store / "CLAUDE.md").symlink_to(tmp_path / "\x1bother.md")
    (store / ".cursor/rules/memoryrail.mdc").mkdir(parents=True)
    result = sync(store)
    assert (result.exit_code, result.stdout) == (2, "")
    symlink, directory, nul = result.stderr.splitlines()
    assert symlink.startswith("Error: CLAUDE.md is a symlink to ")
    assert "\x1b" not in symlink
    assert (
        directory
        == ".cursor/rules/memoryrail.mdc is not a file, so it is not written: move it away"
    )
    assert nul == "AGENTS.md:2: holds a NUL byte, so it is no text"


@pytest.mark.parametrize("name", FILES)
def test_a_symlink_out_of_the_project_is_not_written_through(
    store: Path, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("mine\n")
    (store / name).parent.mkdir(parents=True, exist_ok=True)
    (store / name).symlink_to(outside)
    before = tree(store)
    result = sync(store)
    assert result.exit_code == 2
    assert f"{name} is a symlink to {outside}, which is not written through" in result.stderr
    assert "link it to another of the generated files" in result.stderr
    assert (outside.read_text(), tree(store)) == ("mine\n", before)


def test_a_symlinked_folder_is_not_written_through(store: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (store / ".cursor").symlink_to(tmp_path / "outside")
    result = sync("--all", store)
    assert result.exit_code == 2
    assert ".cursor/rules/memoryrail.mdc is reached through a symlinked directory" in result.stderr
    assert not list((tmp_path / "outside").iterdir())


def test_a_directory_in_the_place_of_a_file(store: Path) -> None:
    (store / "CLAUDE.md").mkdir()
    result = sync(store)
    assert (result.exit_code, (store / "AGENTS.md").exists()) == (2, False)
    assert "CLAUDE.md is not a file" in result.stderr


def test_a_link_to_another_generated_file_needs_no_block(store: Path) -> None:
    (store / "CLAUDE.md").symlink_to("AGENTS.md")
    result = sync("--all", store)
    assert result.stdout == "AGENTS.md: written\n.cursor/rules/memoryrail.mdc: written\n"
    assert (store / "CLAUDE.md").is_symlink()
    assert sync("--check", "--all", store).exit_code == 0


def test_a_link_to_a_generated_file_that_is_missing_makes_that_one(store: Path) -> None:
    (store / "AGENTS.md").symlink_to("CLAUDE.md")
    assert sync(store).stdout == "CLAUDE.md: written\n.cursor/rules/memoryrail.mdc: written\n"
    assert (store / "AGENTS.md").is_symlink()


def test_links_in_a_circle_are_named(store: Path) -> None:
    (store / "AGENTS.md").symlink_to("CLAUDE.md")
    (store / "CLAUDE.md").symlink_to("AGENTS.md")
    result = sync(store)
    assert result.exit_code == 2
    assert "AGENTS.md is a symlink to CLAUDE.md, which is not written through" in result.stderr


def test_the_block_of_another_tool_stays_while_it_is_in_step(store: Path) -> None:
    ref = short_ref(MemoryType.DECISION, "20260102-one")
    theirs = f"<!-- MemoryRail begin -->\n* {ref} Title of 20260102-one\n<!-- memoryrail end -->\n"
    (store / "AGENTS.md").write_text(theirs)
    assert sync(store).stdout == "All in step.\n"
    (store / "AGENTS.md").write_text(theirs.replace(ref, "DEC-0000"))
    assert sync("--check", store).stdout == "AGENTS.md: out of step\n"
    result = sync(store)
    assert (result.exit_code, result.stdout) == (
        0,
        "AGENTS.md: written, in place of another tool's block\n",
    )
    assert (store / "AGENTS.md").read_text().startswith("<!-- MemoryRail begin -->\n## Project")
    assert sync("--check", store).exit_code == 0


def test_an_unreadable_memory_is_said_and_is_a_fault(store: Path) -> None:
    (store / ".memoryrail/memories/20260102-two.md").write_text("no frontmatter\n")
    result = sync(store)
    assert (result.exit_code, result.stdout) == (1, WRITTEN)
    assert result.stderr.startswith(".memoryrail/memories/20260102-two.md:1: ")
    check = sync("--check", store)
    assert (check.exit_code, check.stdout, check.stderr) == (1, "All in step.\n", result.stderr)


def test_a_broken_configuration_is_said_and_is_a_fault(store: Path) -> None:
    (store / ".memoryrail/config.json").write_text("{\n")
    result = sync(store)
    assert (result.exit_code, result.stdout) == (1, WRITTEN)
    assert ".memoryrail/config.json:2: The file is not valid JSON" in result.stderr


def test_a_store_of_a_version_that_is_not_known_empties_no_block(store: Path) -> None:
    sync(store)
    before = (store / "AGENTS.md").read_bytes()
    (store / ".memoryrail/config.json").write_text('{"version": 2}\n')
    result = sync(store)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "The store is not read." in result.stderr
    assert (store / "AGENTS.md").read_bytes() == before


def test_symlinks_below_the_store_are_not_read(store: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(memory("20260102-two"))
    (store / ".memoryrail/memories/20260102-two.md").symlink_to(tmp_path / "secret.md")
    assert "20260102-two.md:1: " in sync(store).stderr
    assert b"20260102-two" not in (store / "AGENTS.md").read_bytes()


def test_large_files_and_odd_names(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "MAX_FILE_BYTES", 400)
    (store / ".memoryrail/memories/large.md").write_text("x" * 401)
    (store / ".memoryrail/memories/caf\udce9.md").write_text("x")
    result = sync(store)
    assert "large.md:1: " in result.stderr
    assert "caf\\xe9.md:1: " in result.stderr


def test_no_project(work: WorkTree, tmp_path: Path) -> None:
    """A store above the repository is not this project's."""
    outside = tmp_path / ".memoryrail"
    outside.mkdir()
    (outside / "config.json").write_text(CONFIG)
    result = sync(work.path)
    assert result.exit_code == 2
    assert "is in no project with memories" in result.stderr


def test_a_directory_that_is_missing_is_a_usage_error(tmp_path: Path) -> None:
    assert sync(tmp_path / "missing").exit_code == 2


def test_a_write_that_fails_leaves_the_old_file(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (store / "AGENTS.md").write_text("# Ours\n")

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    result = sync(store)
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: AGENTS.md cannot be written: No space left on device\n",
    )
    assert (store / "AGENTS.md").read_text() == "# Ours\n"
    assert [path.name for path in store.iterdir()].count("AGENTS.md") == 1
    assert not list(store.glob(".AGENTS*"))


def test_a_file_in_the_place_of_a_folder(store: Path) -> None:
    (store / ".cursor").write_text("no folder\n")
    before = tree(store)
    result = sync(store)
    assert (result.exit_code, tree(store)) == (2, before)
    assert ".cursor is not a directory, so no file fits in it" in result.stderr


def test_agents_md_never_points_to_itself(store: Path) -> None:
    (store / "AGENTS.md").write_text("# AGENTS.md\n\nSee AGENTS.md.\n")
    assert "AGENTS.md: written\n" in sync(store).stdout


def test_no_name_or_message_begins_a_line_of_its_own(store: Path) -> None:
    """A build's log would take `::error::` at the start of a line for a command."""
    text = memory("20260102-two").replace(
        'status: "active"', 'status: "active"\nsupersedes: "a\\n::error::x"'
    )
    (store / ".memoryrail/memories/20260102-two.md").write_text(text)
    result = sync("--check", store)
    assert not [line for line in result.output.splitlines() if line.startswith("::")]
