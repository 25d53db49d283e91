"""memoryrail-bot list, search and show."""

import json
import shutil

import pytest
from click.testing import CliRunner

from bot.cli import main
from bot.core.model import MemoryType, short_ref
from tests.cli.running import memory, path_of, run
from tests.formats.jumpybrain.making import CONFIG, id_of, text
from tests.git.worktree import WorkTree


@pytest.fixture
def filled(project: WorkTree) -> WorkTree:
    """Memories of several types and statuses."""
    project.write(path_of("20261001-sqlite"), memory("20261001-sqlite", links='["src/db"]'))
    project.write(
        path_of("20261002-hooks"),
        memory("20261002-hooks", "constraint", tags='["ci", "git"]', pinned="true"),
    )
    project.write(path_of("20261003-next"), memory("20261003-next", status="proposed"))
    project.write(path_of("20261004-gone"), memory("20261004-gone", status="archived"))
    return project


def listed(*arguments: str) -> list[str]:
    result = run("list", "--json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return [one["id"].removeprefix("2026100") for one in json.loads(result.stdout)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), ["2-hooks", "1-sqlite"]),
        (("--status", "proposed"), ["3-next"]),
        (("--status", "archived", "--status", "proposed"), ["3-next", "4-gone"]),
        (("--status", "all"), ["2-hooks", "1-sqlite", "3-next", "4-gone"]),
        (("--type", "constraint"), ["2-hooks"]),
        (("--tag", "git"), ["2-hooks"]),
        (("--tag", "git", "--tag", "db"), []),
        (("--path", "src/db/pool.ts"), ["1-sqlite"]),
        (("--path", "src"), ["1-sqlite"]),
        (("--path", "docs"), []),
    ],
)
@pytest.mark.usefixtures("filled")
def test_what_is_listed(arguments: tuple[str, ...], expected: list[str]) -> None:
    assert listed(*arguments) == expected


def test_a_document_is_listed_by_its_own_word_and_by_what_it_is_to_a_change(
    filled: WorkTree,
) -> None:
    filled.write("memory/jumpybrain.json", CONFIG.decode())
    filled.write("memory/preferences/utc.md", text(1, type="preference"))
    assert listed("--type", "preference") == [id_of(1)]
    assert listed("--type", "constraint") == ["2-hooks", id_of(1)]
    kinds = [one["kind"] for one in json.loads(run("list", "--json").stdout)]
    assert kinds == [None, None, "preference"]


def test_a_memory_is_one_line_of_a_table(filled: WorkTree) -> None:
    """Whatever its title does to a terminal or to a table's markup."""
    title = 'title: "[red]A\\u001b[2J \\u202e' + "long " * 60 + '"'
    text = memory("20261005-odd").replace('title: "On 20261005-odd"', title)
    filled.write(path_of("20261005-odd"), text)
    result = run("list")
    lines = result.stdout.splitlines()
    assert [line.split()[1] for line in lines] == ["constraint", "decision", "decision"]
    assert "* On 20261002-hooks" in result.stdout
    assert "[red]A" in result.stdout
    assert not {"\x1b", "\u202e"} & set(result.stdout)


def test_from_any_directory_of_the_project(
    filled: WorkTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    (filled.path / "src/db").mkdir(parents=True)
    monkeypatch.chdir(filled.path / "src")
    assert listed("--path", "db") == ["1-sqlite"]
    monkeypatch.chdir("/")
    assert run("-C", str(filled.path), "list").exit_code == 0
    monkeypatch.chdir("/")
    assert "no project with memories" in run("list").stderr


def test_search_finds_words_in_any_form_the_best_first(filled: WorkTree) -> None:
    text = memory("20261006-pool").replace("Why.", "Pooling of connections locks SQLite.")
    filled.write(path_of("20261006-pool"), text.replace("On 20261006-pool", "No pooler"))
    result = run("search", "pool", "connection", "--json")
    assert [one["id"] for one in json.loads(result.stdout)] == ["20261006-pool"]
    assert run("search", "sqlite").stdout.count("DEC-") == 2
    assert run("search", "sqlite", "--limit", "1").stdout.count("DEC-") == 1
    nothing = run("search", "kubernetes")
    assert (nothing.exit_code, nothing.stdout) == (1, "Nothing found.\n")
    assert (
        run("search", "gone").exit_code,
        run("search", "gone", "--status", "all").exit_code,
    ) == (
        1,
        0,
    )


@pytest.mark.usefixtures("filled")
def test_show_prints_a_memory_whole() -> None:
    ref = short_ref(MemoryType.CONSTRAINT, "20261002-hooks")
    shown = run("show", ref.lower(), "[per 20261002-hooks]")
    assert shown.exit_code == 0
    assert shown.stdout == (
        f"{ref}  On 20261002-hooks\n"
        "  constraint, active, pinned\n"
        "  id       20261002-hooks\n"
        "  file     .memoryrail/memories/20261002-hooks.md\n"
        "  created  2026-10-01T08:00:00.000Z\n"
        "  updated  2026-10-01T08:00:00.000Z\n"
        "  tags     ci, git\n"
        "\n"
        "Why.\n"
    )
    [document] = json.loads(run("show", "20261004-gone", "--json").stdout)
    assert (document["status"], document["links"], document["body"]) == ("archived", [], "\nWhy.\n")
    missing = run("show", f"{ref[:-1]}{'0' if ref[-1] != '0' else '1'}")
    assert missing.exit_code == 2
    assert "Did you mean" in missing.stderr


def test_a_bad_file_hides_no_other(filled: WorkTree) -> None:
    filled.write(path_of("20261007-bad"), "no frontmatter\n")
    filled.write(path_of("20261008-binary"), b"\x00\xff")
    result = run("list")
    assert (result.exit_code, result.stdout.count("2026100")) == (0, 2)
    assert result.stderr == ("Note: 2 memory files cannot be read: memoryrail-bot lint says why.\n")
    for command in ("show", "archive"):
        named = run(command, "20261007-bad")
        assert named.exit_code == 2
        assert f"{path_of('20261007-bad')}:1: The file does not begin with" in named.stderr


def test_where_nothing_can_be_read_nothing_is_listed(filled: WorkTree) -> None:
    filled.write(".memoryrail/config.json", '{"version": 1, "review": "on"}')
    assert run("list").exit_code == 0
    filled.write(".memoryrail/config.json", '{"version": 2}')
    result = run("list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Version 2 of the format is not known" in result.stderr
    filled.write(".memoryrail/config.json", '{"version": 1}')
    shutil.rmtree(filled.path / ".memoryrail/memories")
    filled.write(".memoryrail/memories", "a file")
    for command in (("list",), ("add", "decision", "A", "--body", "")):
        result = run(*command)
        assert result.exit_code == 2
        assert "This must be a directory" in result.stderr


@pytest.mark.usefixtures("filled")
def test_on_a_terminal_there_is_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.chosen._is_terminal", lambda: True)
    lines = run("list").stdout.splitlines()
    assert lines[0].split() == ["ref", "type", "status", "title"]
    assert "On 20261001-sqlite" in lines[3]


@pytest.mark.usefixtures("filled")
def test_a_shell_completes_refs() -> None:
    env = {
        "_MEMORYRAIL_BOT_COMPLETE": "bash_complete",
        "COMP_WORDS": "x show co",
        "COMP_CWORD": "2",
    }
    result = CliRunner().invoke(main, env=env, prog_name="memoryrail-bot")
    assert result.stdout == f"plain,{short_ref(MemoryType.CONSTRAINT, '20261002-hooks')}\n"
