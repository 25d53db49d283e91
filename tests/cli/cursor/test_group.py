"""The verbs as a shell sees them; the vectors hold what they print."""

import subprocess
from pathlib import Path

import pytest

from bot.cli.author import AGENT_VARIABLES
from bot.cli.cursor import COMMANDS
from bot.formats.cursor.validate import problems_of, read_file
from tests.cli.running import at_once, run
from tests.formats.cursor.making import entry
from tests.git.worktree import WorkTree

APPEND = ("cursor", "append", "--kind", "state", "--status", "done", "--file", "session-handoff")
WRITERS = 20


@pytest.fixture
def memory(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The memory directory of a repository, which is not there yet."""
    monkeypatch.chdir(work.path)
    return work.path / ".cursor" / "memory"


def test_every_verb_has_its_help(memory: Path) -> None:
    assert not memory.exists()
    help_ = run("cursor", "--help").stdout
    for verb, does in COMMANDS.items():
        assert f"{verb} " in help_
        assert does in help_
        assert "Usage:" in run("cursor", verb, "--help").stdout


def test_twenty_writers_at_once_lose_nothing(memory: Path) -> None:
    """Real processes, of which none knows a session: one begins it for all."""
    words = ("--summary", "Step {n}", "--body", "Writer {n} came by at this moment.")
    ids, failed = at_once(WRITERS, *APPEND, *words, "--path", str(memory))
    file = read_file("session-handoff.md", (memory / "session-handoff.md").read_bytes())
    assert (len(set(ids)), failed) == (WRITERS, 0)
    assert {one.id for one in file.blocks.entries} == set(ids)
    assert {one.text("summary") for one in file.blocks.entries} == {
        f"Step {number}" for number in range(WRITERS)
    }
    assert problems_of([file]) == ()
    assert sorted(path.name for path in memory.iterdir()) == ["session-handoff.md"]


def test_the_text_comes_from_a_file_or_from_standard_input(memory: Path) -> None:
    text = "Consumers read from the new broker."
    Path("body.md").write_text(f"{text}\n")
    first = run(*APPEND, "--summary", "One", "--body-file", "body.md")
    second = run(*APPEND, "--summary", "Two", stdin=f"{text} Again.\n")
    shown = run("cursor", "show", second.stdout.strip()).stdout
    assert first.exit_code == second.exit_code == 0
    assert shown.endswith(f"\n\n{text} Again.\n")
    assert "# session-handoff.md (lines 17-" in shown
    assert (memory / "session-handoff.md").is_file()
    refused = run(*APPEND, "--summary", "Three", "--body", "x", "--body-file", "body.md")
    assert refused.exit_code == 2


def test_what_is_not_there_is_said_in_a_line(memory: Path) -> None:
    for arguments, code in (
        (("show", "1-0-state"), 1),
        (("list", "--file", "decisions"), 2),
        (("latest", "--file", "decisions", "--kind", "decision"), 2),
        (("search", "--query", "x"), 1),
        (("search", "--since", "yesterday"), 2),
        (("search", "--until", "2026"), 2),
        (("rotate", "--file", "decisions", "--keep-last", "1"), 2),
        (("rotate", "--file", "decisions"), 2),
        (("append", "--file", "decisions", "--kind", "x"), 2),
        (("append", *APPEND[2:], "--summary", "bad \udcff", "--body", "x" * 20), 2),
        (("search", "--since", "2026-13-45"), 2),
        (("search", "--until", "2026-04"), 2),
        (("rotate", "--file", "decisions", "--since", "2026-02-30"), 2),
        (("validate", "--path", "no/such/place"), 2),
        (("migrate", "--path", "no/such/place"), 2),
    ):
        done = run("cursor", *arguments)
        assert (done.exit_code, done.stdout) == (code, ""), arguments
        assert "Traceback" not in done.stderr
        assert done.stderr
    assert not memory.parent.exists()
    memory.mkdir(parents=True)
    done = run("cursor", "list", "--file", "x" * 300)  # more than file systems take
    assert (done.exit_code, "name too long" in done.stderr) == (2, True)


def test_nothing_is_written_through_a_symlink(memory: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    memory.parent.mkdir()
    memory.symlink_to(elsewhere)
    words = ("--summary", "One", "--body", "Consumers read from the new broker.")
    assert run(*APPEND, *words).exit_code == 2
    memory.unlink()
    memory.mkdir()
    target = elsewhere / "x.md"
    target.write_text("kept")
    (memory / "session-handoff.md").symlink_to(target)
    assert run(*APPEND, *words).exit_code == 2
    assert target.read_text() == "kept"
    assert not (elsewhere / "session-handoff.md").exists()


def test_only_a_person_at_a_terminal_appends_a_credential(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*APPEND, "--summary", "Key", "--body", f"The key is {'AK'}IAQ7XK2M5VN3JPRT4C today.")
    for variable in AGENT_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    assert run(*words).stderr.endswith("(secret)\n")
    refused = run(*words, "--allow-secrets")
    assert (refused.exit_code, "Only a person" in refused.stderr) == (2, True)
    assert not memory.exists()
    monkeypatch.setattr("bot.cli.author.is_at_a_terminal", lambda: True)
    assert run(*words, "--allow-secrets", env={"AI_AGENT": "1"}).exit_code == 2
    assert run(*words, "--allow-secrets").exit_code == 0


def test_a_broken_session_is_told_and_kept(memory: Path) -> None:
    state = memory.parent / "hooks" / ".state" / "session.json"
    state.parent.mkdir(parents=True)
    for text, why in (("[1]", "no JSON object"), ("{}", "`session_id` is a whole number")):
        state.write_text(text)
        for verb in ("current-id", "bump-task"):
            done = run("cursor", verb)
            assert done.exit_code == 2
            assert why in done.stderr
        assert state.read_text() == text


def test_entries_that_a_commit_lacks_are_of_the_task_at_work(work: WorkTree, memory: Path) -> None:
    work.write(".cursor/memory/session-handoff.md", entry("old-1", correlation_id="9-9"))
    work.commit()
    run(*APPEND, "--summary", "Two", "--body", "Consumers read from the new broker.")
    assert run("cursor", "validate", "--base", "HEAD").exit_code == 0
    run("cursor", "bump-task")
    done = run("cursor", "validate", "--base", "HEAD")
    assert done.exit_code == 1
    assert "session-handoff.md:16: error: Entry " in done.stderr
    assert run("cursor", "validate").exit_code == 0
    assert memory.is_dir()


def test_a_merge_in_which_both_appended_goes_on(work: WorkTree, memory: Path) -> None:
    path = ".cursor/memory/session-handoff.md"
    fork, theirs, mine = (entry(f"{n}-0-state", correlation_id=f"{n}-0") for n in range(3))
    work.commit({path: fork})
    work.git("checkout", "-q", "-b", "feature")
    work.commit({path: f"{fork}\n{mine}"})
    assert run("cursor", "reappend").exit_code == 2
    work.git("checkout", "-q", "main")
    work.commit({path: f"{fork}\n{theirs}"})
    work.git("checkout", "-q", "feature")
    with pytest.raises(subprocess.CalledProcessError):
        work.git("merge", "-q", "main")
    assert run("cursor", "reappend").stdout == "2-0-state\n"
    assert (memory / "session-handoff.md").read_text() == f"{fork}\n{theirs}\n{mine}"
    work.git("add", "-A")
    work.git("commit", "-q", "--no-edit")
    done = run("check", "--base", "main")
    assert (done.exit_code, "entry-" in done.stdout) == (0, False)


def test_quiet_is_quiet_where_nothing_is_wrong(memory: Path) -> None:
    assert run("cursor", "validate").stdout == "0 entries, no error.\n"
    assert run("cursor", "validate", "--quiet").stdout == ""
    assert not memory.exists()
