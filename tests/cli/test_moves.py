"""The commands that move memories on, on real directories."""

import pytest

from tests.cli.running import files_of, memory, path_of, run
from tests.formats.jumpybrain.making import CONFIG, id_of, text
from tests.git.worktree import WorkTree

OLD, NEW, DONE = "20261001-old", "20261009-new", "20261005-thread"


@pytest.fixture
def filled(project: WorkTree) -> WorkTree:
    """An active decision, a proposal that is to replace it, and a thread."""
    project.write(path_of(OLD), memory(OLD))
    project.write(path_of(NEW), memory(NEW, status="proposed", supersedes=f'"{OLD}"'))
    project.write(path_of(DONE), memory(DONE, "thread"))
    run("sync")
    return project


def statuses(project: WorkTree) -> dict[str, str]:
    return {
        path.rpartition("/")[2][:-3]: text.partition('status: "')[2].partition('"')[0]
        for path, text in files_of(project.path).items()
        if "/memories/" in path
    }


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("approve", NEW), {OLD: "superseded", NEW: "active", DONE: "active"}),
        (("reject", NEW), {OLD: "active", DONE: "active"}),
        (("archive", OLD), {OLD: "archived", NEW: "proposed", DONE: "active"}),
        (("archive", OLD, DONE), {OLD: "archived", NEW: "proposed", DONE: "archived"}),
        (("resolve", DONE), {OLD: "active", NEW: "proposed", DONE: "resolved"}),
        (("confirm", OLD), {OLD: "active", NEW: "proposed", DONE: "active"}),
        (("supersede", OLD, DONE), {OLD: "superseded", NEW: "proposed", DONE: "active"}),
    ],
)
def test_a_memory_moves_on(
    filled: WorkTree, arguments: tuple[str, ...], expected: dict[str, str]
) -> None:
    """And our blocks with it; a dry run shows the same change and makes none."""
    before = files_of(filled.path)
    shown = run(*arguments, "--dry-run")
    assert (shown.exit_code, shown.stderr, files_of(filled.path)) == (0, "", before)
    assert shown.stdout.startswith("diff --git ")
    done = run(*arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    assert statuses(filled) == expected
    assert run("sync", "--check").exit_code == 0
    past = {"approve": "approved", "reject": "rejected", "archive": "archived"}
    past |= {"resolve": "resolved", "confirm": "confirmed", "supersede": "superseded"}
    assert done.stdout.splitlines()[0].startswith(f"{past[arguments[0]]} ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("approve", OLD), "is active already"),
        (("approve", "DEC-zzzz"), "There is no memory DEC-zzzz"),
        (("reject", OLD), "Only a proposal can be rejected"),
        (("archive", NEW), "Approve or reject it"),
        (("resolve", OLD), "Only a thread can be resolved"),
        (("confirm", NEW), "cannot be confirmed"),
        (("supersede", DONE, NEW), "replaces 20261001-old already"),
        (("archive", OLD, "20269999-none"), "There is no memory 20269999-none"),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    filled: WorkTree, arguments: tuple[str, ...], says: str
) -> None:
    before = files_of(filled.path)
    result = run(*arguments)
    assert (result.exit_code, files_of(filled.path)) == (2, before)
    assert says in result.stderr


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_agents_decide_nothing(filled: WorkTree, verb: str) -> None:
    before = files_of(filled.path)
    result = run(verb, NEW, env={"CLAUDECODE": "1"})
    assert (result.exit_code, files_of(filled.path)) == (2, before)
    assert "CLAUDECODE says that a coding agent runs this" in result.stderr


@pytest.mark.parametrize(
    "arguments", [("archive", OLD), ("confirm", OLD), ("supersede", OLD, DONE)], ids=lambda a: a[0]
)
def test_behind_the_gate_agents_change_nothing_that_binds(
    filled: WorkTree, arguments: tuple[str, ...]
) -> None:
    agent = {"CURSOR_AGENT": "1"}
    assert run(*arguments, "--dry-run", env=agent).exit_code == 0
    filled.write(".memoryrail/config.json", '{"version": 1, "review": "agents"}')
    before = files_of(filled.path)
    result = run(*arguments, env=agent)
    assert (result.exit_code, files_of(filled.path)) == (2, before)
    assert f"Only a person may {arguments[0]} DEC-" in result.stderr
    assert run("resolve", DONE, env=agent).exit_code == 0


def test_a_proposal_that_is_to_supersede_says_so(filled: WorkTree) -> None:
    filled.write(path_of("20261010-free"), memory("20261010-free", status="proposed"))
    result = run("supersede", DONE, "20261010-free")
    assert result.exit_code == 0
    assert "is to replace THR-" in result.stdout
    assert statuses(filled)[DONE] == "active"


def test_a_store_with_a_broken_configuration_is_not_written(filled: WorkTree) -> None:
    filled.write(".memoryrail/config.json", '{"version": 1, "review": "agnts"}')
    before = files_of(filled.path)
    result = run("archive", OLD)
    assert (result.exit_code, files_of(filled.path)) == (2, before)
    assert '.memoryrail/config.json:1: `review` must be "off" or "agents".' in result.stderr


def test_a_block_that_cannot_follow_is_said(filled: WorkTree) -> None:
    filled.write("CLAUDE.md", "<!-- memoryrail:start -->\n")
    result = run("archive", OLD)
    assert result.exit_code == 0
    assert "Note: CLAUDE.md was left alone: the markers" in result.stderr


def test_a_constraint_is_relinked_pinned_and_unpinned(project: WorkTree) -> None:
    project.write(path_of(OLD), memory(OLD, "constraint", links='["src/db", "src/api"]'))
    project.write("src/store/pool.py", "")
    before = files_of(project.path)[path_of(OLD)]
    for arguments, said, was, is_ in (
        (("relink", OLD, "src/db/", "./src/store"), "relinked", '["src/db"', '["src/store"'),
        (("pin", OLD), "pinned", "---\n\n", "pinned: true\n---\n\n"),
        (("unpin", OLD), "unpinned", "pinned: true", "pinned: false"),
    ):
        shown = run(*arguments, "--dry-run")
        assert shown.stdout.startswith("diff --git ")
        done = run(*arguments)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith(f"{said} CON-")
        before = before.replace(was, is_)
        now = files_of(project.path)[path_of(OLD)]
        assert [line for line in now.splitlines() if "updated" not in line] == [
            line for line in before.splitlines() if "updated" not in line
        ]
    for arguments, says in (
        (("relink", OLD, "src/store", "src/none"), "cannot link src/none: nothing is there."),
        (("relink", OLD, "src/stor", "src/api"), "Did you mean src/store?"),
        (("relink", OLD, "src/store", ".."), "cannot link .."),
        (("unpin", OLD), "is not pinned"),
    ):
        refused = run(*arguments)
        assert refused.exit_code == 2
        assert says in refused.stderr


def test_a_draft_of_a_jumpybrain_root_is_rejected(project: WorkTree) -> None:
    project.write("memory/jumpybrain.json", CONFIG.decode())
    project.write("memory/notes/mine.md", text(1))
    project.write("memory/notes/draft.md", text(2, confidence="agent-drafted"))
    assert run("reject", id_of(1)).exit_code == 2
    done = run("reject", id_of(2))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith("\n  deleted memory/notes/draft.md\n")
    assert "memory/notes/draft.md" not in files_of(project.path)
