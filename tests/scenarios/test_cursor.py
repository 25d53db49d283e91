"""A repository that keeps its memory as entries, alone or beside memories of another format."""

from bot.core.model import MemoryType, short_ref
from bot.formats.cursor.validate import read_file
from bot.sandbox.state.pulls import PullRequest
from tests.formats.cursor.making import entry
from tests.scenarios.commanding import answers, content, say
from tests.scenarios.conftest import CODE, MEMORIES, Team, said, synced, verdicts

FOLDER = ".cursor/memory"
HANDOFF, DECISIONS = f"{FOLDER}/session-handoff.md", f"{FOLDER}/decisions.md"
FIRST = entry("100-0-state", correlation_id="100-0")
POOL = entry(
    "100-0-decision",
    kind="decision",
    status="rejected",
    correlation_id="100-0",
    summary="A pool for each request ran out of connections",
    body="Tried in src/db/pool.py: the database refused the hundredth one.",
)
NEXT = entry("100-1-state", correlation_id="100-1", at="2026-04-23T08:00:00Z")
ENTRIES = {HANDOFF: FIRST, DECISIONS: POOL}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def opened(team: Team, files: dict[str, str], **store: str) -> PullRequest:
    repository = team.repository({**CODE, **ENTRIES, **store})
    repository.grant("ada", "maintain")
    repository.branch("feature")
    repository.commit("feature", files=files, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    return pull


def faults(pull: PullRequest) -> list[tuple[str, int, str]]:
    """Path, line and level of what the memory check says."""
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/memory"]
    return [(note.path, note.start_line, note.annotation_level) for note in run.annotations]


def test_entries_apply_beside_memories_and_say_where_they_stand(team: Team) -> None:
    shop = {**MEMORIES, "AGENTS.md": synced(MEMORIES)}
    pull = opened(team, {"src/db/pool.py": "SIZE = 9\n"}, **shop)
    (text,) = said(pull)
    assert verdicts(pull) == PASS
    assert f"> **{short_ref(MemoryType.ATTEMPT, '100-0-decision')}** · A pool for each" in text
    assert "why: `src/db/pool.py` is linked" in text
    assert "from `.cursor/memory` · [read it](" in text
    assert "/.cursor/memory/decisions.md?plain=1#L3)" in text
    assert "from `.memoryrail/memories` · " in text


def test_what_is_appended_passes_and_what_is_rewritten_fails(team: Team) -> None:
    pull = opened(team, {HANDOFF: f"{FIRST}\n{NEXT}", "src/api/x.py": "1\n"})
    assert verdicts(pull) == PASS
    assert faults(pull) == [(HANDOFF, 1, "notice")]  # the repository is public
    pull.push(files={DECISIONS: POOL.replace("rejected", "done")})
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    assert (DECISIONS, 3, "failure") in faults(pull)
    (text,) = said(pull)
    assert "Entry 100-0-decision is edited. Put it back as it was, and append" in text


def test_every_rule_of_the_format_fails_at_its_line(team: Team) -> None:
    wrong = entry("100-0-state", correlation_id="100-0", schema_version="9", body="Too short.")
    pull = opened(team, {f"{FOLDER}/session-handoff.shared.md": f"# Shared\n\n{wrong}"})
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    assert faults(pull) == [(f"{FOLDER}/session-handoff.shared.md", 3, "failure")] * 3
    (text,) = said(pull)
    for words in ("only version 1 is known", "20 characters", "session-handoff.md has an entry"):
        assert words in text


def test_entries_that_the_base_gained_meanwhile_are_not_missed_but_merged(team: Team) -> None:
    repository = team.repository({**CODE, **ENTRIES})
    repository.branch("feature")
    repository.commit("feature", files={HANDOFF: f"{FIRST}\n{NEXT}"}, login="alice")
    theirs = entry("200-0-state", correlation_id="200-0", at="2026-04-23T09:00:00Z")
    repository.commit("main", files={HANDOFF: f"{FIRST}\n{theirs}"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert verdicts(pull) == PASS
    assert faults(pull) == [(HANDOFF, 18, "warning"), (HANDOFF, 1, "notice")]
    assert "`/memoryrail reappend` merges it" in said(pull)[0]


def test_an_approval_is_one_more_entry(team: Team) -> None:
    ref = short_ref(MemoryType.SESSION, "100-1-state")
    pull = opened(team, {HANDOFF: f"{FIRST}\n{NEXT}"})
    say(team, pull, "ada", f"/memoryrail approve {ref}")
    team.settle()
    text = content(pull.repository, pull.head_sha, HANDOFF) or ""
    assert text.startswith(f"{FIRST}\n{NEXT}\n<!-- memory-entry:start -->")
    (last,) = read_file(HANDOFF, text.encode()).blocks.entries[2:]
    assert (last.id, last.text("author"), last.text("author_detail")) == (
        "100-1-state-2",
        "human",
        "ada",
    )
    assert last.items("links") == ("100-1-state",)
    assert verdicts(pull) == PASS
    say(team, pull, "ada", f"/memoryrail approve {ref}")
    team.settle()
    assert "is approved already" in answers(pull)[-1]


def test_no_command_edits_an_entry(team: Team) -> None:
    pull = opened(team, {HANDOFF: f"{FIRST}\n{NEXT}"})
    for command in ("archive", "reject", "confirm", "pin"):
        say(team, pull, "ada", f"/memoryrail {command} 100-1-state")
    say(team, pull, "ada", "/memoryrail supersede 100-1-state with 100-0-state")
    team.settle()
    assert len(answers(pull)) == 5
    for text in answers(pull):
        assert "Entries are never edited: append one" in text
    assert content(pull.repository, pull.head_sha, HANDOFF) == f"{FIRST}\n{NEXT}"


def test_an_entry_is_acknowledged_and_not_the_one_beside_it(team: Team) -> None:
    other = entry(
        "100-1-decision",
        kind="decision",
        status="rejected",
        correlation_id="100-1",
        at="2026-04-23T08:00:00Z",
        summary="A pool of one was too slow",
        body="Tried in src/db/pool.py as well, and every page waited.",
    )
    both = {DECISIONS: f"{POOL}\n{other}"}
    pull = opened(team, {"src/db/pool.py": "SIZE = 9\n"}, **both)
    (text,) = said(pull)
    assert text.index("A pool of one") < text.index("A pool for each")  # the newest first
    say(team, pull, "ada", "/memoryrail ack 100-0-decision: no longer so")
    team.settle()
    (text,) = [one for one in said(pull) if "apply ·" in one]
    assert "1 acknowledged on this pull request" in text
    assert "> **" in text.partition("A pool of one")[0]
