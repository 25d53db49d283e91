"""The verbs as a shell sees them; the vectors hold what they write."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import author, main
from bot.cli.jumpybrain import COMMANDS
from bot.cli.jumpybrain.place import Place
from bot.formats.jumpybrain.document import read_document
from bot.formats.jumpybrain.edit import content_hash
from bot.formats.jumpybrain.ids import is_id
from bot.formats.jumpybrain.layout import TYPE_OF
from tests.cli.running import at_once, files_of, run
from tests.formats.jumpybrain.making import SECTIONS, id_of, text
from tests.git.worktree import WorkTree

WRITERS = 20
REMEMBER = ("jumpybrain", "remember", "--type", "decision", "--title", "One consumer")
KEY = "AK" + "IA" + "Q7XK2M5VN3JPRT4C"
MINE = "notes/mine.md"


@pytest.fixture
def memory(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory root with one document; the working directory is elsewhere in its repository."""
    for name in author.AGENT_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    below = work.path / "src" / "queue"
    below.mkdir(parents=True)
    work.write("memory/jumpybrain.json", '{"schemaVersion": 1}\n')
    work.write(f"memory/{MINE}", text())
    monkeypatch.chdir(below)
    return work.path / "memory"


def token(memory: Path) -> str:
    return content_hash((memory / MINE).read_bytes())


def test_every_verb_has_its_help(work: WorkTree) -> None:
    help_ = run("jumpybrain", "--help").stdout
    for verb, does in COMMANDS.items():
        assert f"{verb} " in help_
        assert does in help_
        assert "Usage:" in run("jumpybrain", verb, "--help").stdout
    assert not files_of(work.path)


def test_init_makes_a_root_once(work: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.path)
    first = run("jumpybrain", "init")
    assert (first.exit_code, first.stderr) == (0, "")
    assert {path.name for path in (work.path / "memory").iterdir()} == {
        *TYPE_OF,
        "jumpybrain.json",
        ".gitignore",
    }
    before = files_of(work.path)
    again = run("jumpybrain", "init")
    assert (again.exit_code, files_of(work.path)) == (0, before)
    assert "already" in again.stdout
    elsewhere = run("jumpybrain", "init", "--root", "docs/brain")
    assert "stores: [docs/brain]" in elsewhere.stderr


def test_init_leaves_alone_what_it_cannot_make(work: WorkTree, tmp_path: Path) -> None:
    root = work.path / "memory"
    work.write("memory/notes", "no folder")
    assert run("jumpybrain", "init", "--root", str(root)).exit_code == 2
    assert files_of(work.path) == {"memory/notes": "no folder"}
    (root / "notes").unlink()
    work.write("memory/jumpybrain.json", '{"schemaVersion": 2}')
    for more in ((), ("--force",)):
        done = run("jumpybrain", "init", "--root", str(root), *more)
        assert done.exit_code == 1
        assert done.stderr.endswith("(schema-too-new)\n")
    assert [path.name for path in root.iterdir()] == ["jumpybrain.json"]
    (tmp_path / "link").symlink_to(root)
    assert run("jumpybrain", "init", "--root", str(tmp_path / "link")).exit_code == 2


def test_the_root_is_found_upwards_or_named(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(run("jumpybrain", "status", "--json").stdout)
    assert found["root"] == str(memory)
    assert found["documents"]["notes"] == 1
    monkeypatch.chdir(memory / "notes")
    assert json.loads(run("jumpybrain", "status", "--json").stdout) == found
    monkeypatch.chdir(memory.parent.parent)
    nothing = run("jumpybrain", "status")
    assert nothing.exit_code == 1
    assert nothing.stderr.endswith("(no-root)\n")
    assert json.loads(run("jumpybrain", "status", "--json", "--root", str(memory)).stdout) == found
    bare = json.loads(run("jumpybrain", "status", "--json", "--root", ".").stdout)
    assert (bare["initialized"], bare["compatible"]) == (False, True)
    assert run("jumpybrain", "status", "--root", "nowhere").exit_code == 1


def test_a_root_of_another_schema_is_neither_read_nor_written(memory: Path) -> None:
    (memory / "jumpybrain.json").write_text('{"schemaVersion": 2}')
    (memory / MINE).write_text(f"no id, and {KEY}")
    before = files_of(memory)
    told = run("jumpybrain", "status")
    assert told.exit_code == 0
    assert "not compatible" in told.stdout
    assert "schema-too-new" in told.stderr
    for arguments in (
        (*REMEMBER, "--body", "x"),
        ("jumpybrain", "show", id_of(1)),
        ("jumpybrain", "update", id_of(1), "--token", token(memory), "--file", "-"),
        ("jumpybrain", "process", "--mode", "ensure-ids", "--apply"),
    ):
        refused = run(*arguments, stdin="x")
        assert (refused.exit_code, refused.stdout) == (1, ""), arguments
        assert refused.stderr.endswith("(schema-too-new)\n")
    linted = run("jumpybrain", "lint")
    assert linted.exit_code == 1
    assert linted.stderr.startswith("memory/jumpybrain.json:1: error: ")
    assert "secret" not in linted.stderr
    assert "1 memory file cannot be read" in run("list").stderr
    assert run("approve", id_of(1)).exit_code == 2
    assert files_of(memory) == before
    (memory / "jumpybrain.json").write_text("{")
    assert run("jumpybrain", "status").exit_code == 1


def test_bytes_that_are_no_text_are_told(memory: Path) -> None:
    data = text().encode() + b"\xff\n"
    (memory / MINE).write_bytes(data)
    assert "--raw" in run("jumpybrain", "show", id_of(1)).stderr
    assert run("jumpybrain", "show", "--raw", id_of(1)).stdout_bytes == data


def test_what_is_remembered_can_be_shown(memory: Path) -> None:
    Path("why.md").write_text("Order within a partition holds.\n")
    done = run(*REMEMBER, "--tag", "queue", "--session-id", "s-17", "--body-file", "why.md")
    id_, path = done.stdout.split()
    assert is_id(id_)
    shown = json.loads(run("jumpybrain", "show", "--json", id_).stdout)
    data = (memory.parent / path).read_bytes()
    assert (shown["file"], shown["content"].encode()) == (path, data)
    assert shown["contentHash"] == content_hash(data)
    document = read_document("decisions/x.md", data)
    assert document.parts.text("session_id") == "s-17"
    assert "\nOrder within a partition holds.\n" in document.body
    plain = run("jumpybrain", "show", id_).stdout
    assert plain == f"# {path}  {content_hash(data)}\n\n{data.decode()}"
    for named in (path, f"../../{path}", path.removeprefix("memory/"), Path(path).name):
        raw = run("jumpybrain", "show", "--raw", named)
        assert (raw.stdout_bytes, raw.stderr) == (data, f"{content_hash(data)}\n")
    assert document.parts.text("confidence") == "user-reviewed"
    by_agent = run(*REMEMBER, "--body", "x", "--dry-run", env={"AI_AGENT": "1"}).stdout
    assert '\nconfidence: "agent-drafted"\nreview: "user-review-recommended"\n' in by_agent
    listed = run("list", "--json").stdout
    ref = next(one["ref"] for one in json.loads(listed) if one["id"] == id_)
    assert run("jumpybrain", "show", ref).stdout == plain


def test_what_is_not_there_is_said_in_a_line(memory: Path) -> None:
    before = files_of(memory)
    for arguments, code in (
        (("show", id_of(2)), 1),
        (("show", "DEC-0000"), 1),
        (("show", "mem_x"), 1),
        (("show", "--json", "--raw", id_of(1)), 2),
        (("update", id_of(2), "--token", "x"), 1),
        (("update", id_of(1)), 1),
        (("update", id_of(1), "--token", "x", "--file", "none.md"), 2),
        (("remember", "--type", "lesson", "--title", "x"), 1),
        (("remember", "--type", "note", "--title", "x", "--body", " "), 1),
        (("process", "--mode", "dream"), 2),
        (("process", "--mode", "synthesize", "--topic", "zebra", "--apply"), 1),
    ):
        done = run("jumpybrain", *arguments, stdin="x")
        assert (done.exit_code, done.stdout) == (code, ""), arguments
        assert done.stderr
    assert files_of(memory) == before


def test_a_wrap_up_waits_until_a_person_approves_it(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("jumpybrain", "wrapup", "--title", "Queue work", "--topic", "queue")
    lacking = run(*words, stdin="## Findings\n- f\n")
    assert lacking.exit_code == 1
    assert lacking.stderr.endswith("(bad-wrapup)\n")
    assert "Open Questions" in lacking.stderr
    assert not (memory / "sessions").exists()
    id_, path = run(*words, stdin=SECTIONS).stdout.split()
    assert 'recall_topic: "queue"' in (memory.parent / path).read_text()
    assert "1 waiting for review" in run("jumpybrain", "status").stdout
    monkeypatch.setenv("AI_AGENT", "1")
    assert run("approve", id_).exit_code == 2
    monkeypatch.delenv("AI_AGENT")
    before = (memory.parent / path).read_text()
    assert "+confidence: " in run("approve", id_, "--dry-run").stdout
    assert (memory.parent / path).read_text() == before
    done = run("approve", id_)
    assert done.exit_code == 0
    assert path in done.stdout
    approved = read_document(path, (memory.parent / path).read_bytes())
    assert (approved.waits, approved.parts.raw("review")) == (False, "")
    assert approved.parts.text("confidence") == "user-reviewed"
    assert run("approve", id_).exit_code == 2


def test_one_approval_takes_memories_of_both_formats(memory: Path) -> None:
    one = "20261001-wait"
    top = WorkTree(memory.parent)
    top.write(".memoryrail/config.json", '{"version": 1, "review": "agents"}\n')
    top.write(
        f".memoryrail/memories/{one}.md",
        f'---\nid: "{one}"\ntype: "decision"\ntitle: "Wait"\nstatus: "proposed"\n'
        'created: "2026-10-01T08:00:00.000Z"\nupdated: "2026-10-01T08:00:00.000Z"\n---\n\nWhy.\n',
    )
    top.write(f"memory/{MINE}", text(confidence="agent-drafted"))
    done = run("approve", one, id_of(1))
    assert done.exit_code == 0
    assert 'status: "active"' in files_of(top.path)[f".memoryrail/memories/{one}.md"]
    assert "user-reviewed" in (memory / MINE).read_text()


def test_an_update_keeps_what_the_writer_set(memory: Path) -> None:
    edited = text(3, title="Renamed", type="finding", body="\nIt drains in order again.\n")
    first = token(memory)
    done = run("jumpybrain", "update", id_of(1), "--token", first, stdin=edited)
    assert done.stdout == f"memory/{MINE}  {token(memory)}\n"
    document = read_document(MINE, (memory / MINE).read_bytes())
    assert (document.id, document.type, document.title) == (id_of(1), "note", "Renamed")
    assert document.at > "2026-11"
    before = files_of(memory)
    stale = run("jumpybrain", "update", id_of(1), "--if-match", first, stdin=edited)
    assert (stale.exit_code, stale.stdout, files_of(memory)) == (1, "", before)
    assert stale.stderr.endswith("(precondition_failed)\n")
    shown = run("jumpybrain", "update", id_of(1), "--token", token(memory), "--dry-run", stdin="x")
    assert shown.stdout.endswith("\nx")
    assert files_of(memory) == before


def test_what_changes_behind_a_plan_is_not_overwritten(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that knows no lock writes between reading and writing."""
    first = token(memory)

    def meanwhile(place: Place) -> dict[str, bytes]:
        found = contents(place)
        (memory / MINE).write_text("theirs")
        return found

    contents = Place.contents
    monkeypatch.setattr(Place, "contents", meanwhile)
    done = run("jumpybrain", "update", id_of(1), "--token", first, stdin=text(body="\nMine.\n"))
    assert done.exit_code == 1
    assert (memory / MINE).read_text() == "theirs"


def test_of_parallel_updates_with_one_token_exactly_one_wins(memory: Path) -> None:
    """Real processes."""
    for number in range(WRITERS):
        Path(f"{number}.md").write_text(text(body=f"\nWriter {number} was here.\n"))
    words = ("--token", token(memory), "--file", f"{Path.cwd()}/{{n}}.md", "--root", str(memory))
    said, failed = at_once(WRITERS, "jumpybrain", "update", id_of(1), *words)
    assert (len(said), failed) == (1, WRITERS - 1)
    assert said[0].endswith(token(memory))
    assert (memory / MINE).read_text().endswith(" was here.\n")
    assert [path.name for path in (memory / "notes").iterdir()] == ["mine.md"]


def test_parallel_writers_of_one_title_lose_nothing(memory: Path) -> None:
    """Real processes; the bucket is not there yet."""
    words = ("--body", "Writer {n} came by.", "--root", str(memory))
    said, failed = at_once(WRITERS, *REMEMBER, *words)
    assert (len({line.split()[0] for line in said}), failed) == (WRITERS, 0)
    bodies = {path.read_text().splitlines()[-1] for path in (memory / "decisions").iterdir()}
    assert bodies == {f"Writer {number} came by." for number in range(WRITERS)}


def test_ids_are_stamped_only_when_told_to(memory: Path) -> None:
    (memory / "notes" / "new.md").write_text("Plain text.\n")
    (memory / "notes" / "old.md").write_text(text(id="17"))
    Path(os.fsdecode(bytes(memory / "notes") + b"/\xff.md")).write_text("No name to stamp it by.")
    before = files_of(memory)
    dry = run("jumpybrain", "process", "--mode", "ensure-ids")
    assert (dry.exit_code, files_of(memory)) == (1, before)
    assert dry.stdout == "would stamp memory/notes/new.md\n1 document to stamp.\n"
    assert "(apply-required)" in dry.stderr
    unnamed = run("jumpybrain", "show", "new.md")
    assert unnamed.exit_code == 1
    assert "ensure-ids --apply" in unnamed.stderr
    done = run("jumpybrain", "process", "--mode", "ensure-ids", "--apply")
    assert done.exit_code == 0
    assert "notes/old.md: warning" in done.stderr
    after = files_of(memory)
    changed = {path for path in after if after[path] != before[path]}
    assert changed == {"notes/new.md"}
    again = run("jumpybrain", "process", "--mode", "ensure-ids")
    assert (again.exit_code, files_of(memory)) == (0, after)


def test_a_page_and_a_report_are_written_again(memory: Path) -> None:
    page = ("jumpybrain", "process", "--mode", "synthesize", "--topic", "drains order")
    assert run(*page).exit_code == 1
    assert not (memory / "pages").exists()
    first = run(*page, "--apply")
    assert first.stdout == f"wrote memory/pages/drains-order.md\n  from memory/{MINE}\n"
    made = read_document("pages/x.md", (memory / "pages/drains-order.md").read_bytes())
    assert run(*page, "--apply").exit_code == 0
    again = read_document("pages/x.md", (memory / "pages/drains-order.md").read_bytes())
    assert again.id == made.id
    (memory / "notes" / "same.md").write_text(text(2, title="On 1"))
    report = ("jumpybrain", "process", "--mode", "lint", "--apply")
    for _ in range(2):
        done = run(*report)
        assert done.exit_code == 0
        assert done.stdout.startswith(f"duplicate-title: {MINE}, notes/same.md have")
    assert len(list((memory / ".jumpybrain" / "reports").iterdir())) == 1


def test_lint_names_every_fault_with_its_place(memory: Path, tmp_path: Path) -> None:
    clean = run("jumpybrain", "lint")
    assert (clean.exit_code, clean.stdout, clean.stderr) == (0, "1 document, no error.\n", "")
    assert run("jumpybrain", "lint", "--quiet").stdout == ""
    (memory / "jumpybrain.json").write_text('{"schemaVersion": 1, "indexRoot": "../.."}')
    (memory / "notes" / "key.md").write_text(text(2, title="On 1", body=f"\n{KEY}\n"))
    (memory / "notes" / "late.md").write_text(text(3, updated_at="soon"))
    (memory / "notes" / "link.md").symlink_to(tmp_path / "elsewhere.md")
    done = run("jumpybrain", "lint")
    kinds = [line.rpartition("(")[2].rstrip(")") for line in done.stderr.splitlines()]
    assert done.exit_code == 1
    assert KEY not in done.stderr
    assert kinds == [
        *("bad-index-root", "duplicate-title", "secret", "bad-timestamp", "symlink"),
        "4 documents, 3 errors.",
    ]
    (memory / "jumpybrain.json").write_text('{"schemaVersion": 1}')
    (memory / "notes" / "key.md").unlink()
    (memory / "notes" / "link.md").unlink()
    assert run("jumpybrain", "lint").exit_code == 0
    assert run("jumpybrain", "lint", "--strict").exit_code == 1


def test_secrets_are_refused_in_every_write(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person at a terminal may insist."""
    before = files_of(memory)
    bad = text(body=f"\n{KEY}\n")
    for arguments in (
        (*REMEMBER, "--body", KEY),
        ("jumpybrain", "wrapup", "--title", "x", "--body", SECTIONS.replace("q?", KEY)),
        ("jumpybrain", "update", id_of(1), "--token", token(memory)),
    ):
        done = run(*arguments, stdin=bad)
        assert done.exit_code == 1
        assert done.stderr.endswith("(secret)\n")
        assert KEY not in done.output
    assert files_of(memory) == before
    insisting = (*REMEMBER, "--body", KEY, "--allow-secrets")
    assert "Only a person" in run(*insisting).stderr
    assert files_of(memory) == before
    monkeypatch.setattr("bot.cli.author.is_at_a_terminal", lambda: True)
    assert run(*insisting).exit_code == 0


def test_nothing_is_read_or_written_through_a_symlink(memory: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "theirs.md").write_text(text(2))
    (memory / "decisions").symlink_to(elsewhere)
    (memory / "notes" / "link.md").symlink_to(elsewhere / "theirs.md")
    assert run(*REMEMBER, "--body", "x").exit_code == 2
    shown = run("jumpybrain", "show", id_of(2))
    assert shown.exit_code == 1
    assert "1 document cannot be read" in shown.stderr
    assert [path.name for path in elsewhere.iterdir()] == ["theirs.md"]
    memory.rename(tmp_path / "moved")
    memory.symlink_to(tmp_path / "moved")
    for arguments in (("status",), ("lint",), (*REMEMBER[1:], "--body", "x")):
        assert run("jumpybrain", *arguments).exit_code == 2


def test_the_moment_may_be_given(memory: Path) -> None:
    now = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
    words = [*REMEMBER, "--body", "x", "--dry-run"]
    shown = CliRunner().invoke(main, words, obj=now).stdout
    assert 'created_at: "2026-10-10T17:30:00.000Z"' in shown
    assert [path.name for path in memory.iterdir() if path.is_dir()] == ["notes"]


def test_documents_are_memories_to_every_command(
    work: WorkTree, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.commit()
    work.git("checkout", "-q", "-b", "feature")
    work.commit({"src/queue/a.py": "1", "memory/notes/new.md": "No id, on src/queue/a.py.\n"})
    checked = run("check", "--base", "main")
    assert checked.exit_code == 1
    assert "memory/notes/new.md:1" in checked.stdout
    assert "missing-id" in run("lint").stdout
    (memory / "notes" / "new.md").write_text(text(2, type="", body="\nSee src/queue/a.py.\n"))
    assert run("lint").exit_code == 0
    assert "On 1" in run("search", "drains").stdout
    for start in (work.path, memory, memory / "notes"):
        monkeypatch.chdir(start)
        assert [line.split()[-1] for line in run("list").stdout.splitlines()] == ["1", "2"]
        assert "memory/notes/mine.md" in run("show", id_of(1)).stdout
        assert "On 2" in run("precheck", str(work.path / "src/queue/a.py")).stdout
