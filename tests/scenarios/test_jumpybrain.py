"""A repository that keeps its memory as documents below memory/."""

from bot.core.model import MemoryType, short_ref
from bot.sandbox.state.pulls import PullRequest
from tests.formats.jumpybrain.making import SECTIONS, id_of, text
from tests.scenarios.commanding import answers, audit, content, say
from tests.scenarios.conftest import CODE, Team, said, verdicts

CONFIG = {"memory/jumpybrain.json": '{"schemaVersion": 1, "indexRoot": ".."}\n'}
RULE = "memory/preferences/pool.md"
DRAFT = "memory/findings/2026/draft.md"
DOCUMENTS = {
    **CONFIG,
    RULE: text(
        1,
        type="preference",
        title="One pool for the process",
        body="\nKeep it in `src/db/pool.py`.\n",
    ),
    DRAFT: text(
        2,
        type="finding",
        title="The pool closes late",
        confidence="agent-drafted",
        body="\nSeen in `src/db/pool.py`.\n",
    ),
}
DECISION = text(
    4,
    type="decision",
    title="Pools stay small",
    confidence="agent-drafted",
    review="user-review-recommended",
    body="\nA pool is small.\n",
)
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def opened(team: Team, files: dict[str, str], *, body: str = "") -> PullRequest:
    repository = team.repository({**CODE, **DOCUMENTS})
    repository.grant("ada", "maintain")
    repository.branch("feature")
    repository.commit("feature", files=files, login="alice")
    pull = repository.open_pull(head="feature", user="alice", body=body)
    team.settle()
    return pull


def faults(pull: PullRequest) -> list[tuple[str, int, str]]:
    """Path, line and rule of what the memory check fails for."""
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/memory"]
    found = [one for one in run.annotations if one.annotation_level == "failure"]
    return sorted((one.path, one.start_line, one.title or "") for one in found)


def test_documents_apply_though_the_pull_request_touches_none(team: Team) -> None:
    pull = opened(team, {"src/db/pool.py": "SIZE = 9\n"})
    (comment,) = said(pull)
    assert f"**{short_ref(MemoryType.CONSTRAINT, id_of(1))}** · One pool" in comment
    assert "/memory/preferences/pool.md" in comment
    assert "closes late" not in comment  # an agent drafted it, and nobody looked


def test_a_document_is_edited_in_place_and_a_fault_stands_at_its_line(team: Team) -> None:
    pull = opened(team, {RULE: DOCUMENTS[RULE].replace("Keep it", "Keep it small")})
    assert verdicts(pull) == PASS
    pull.push(files={"memory/notes/new.md": text(3).replace('id: "mem_', 'id: "MEM_')})
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    (run,) = [run for run in pull.check_runs() if run.name == "memoryrail/memory"]
    assert [(one.path, one.start_line) for one in run.annotations] == [("memory/notes/new.md", 2)]


def test_a_draft_is_approved_by_its_id(team: Team) -> None:
    pull = opened(team, {DRAFT: DOCUMENTS[DRAFT].replace("Seen", "Seen twice")})
    say(team, pull, "ada", f"/memoryrail approve {id_of(2)}")
    team.settle()
    approved = content(pull.repository, pull.head_sha, DRAFT) or ""
    assert 'confidence: "user-reviewed"\n' in approved
    assert "Seen twice" in approved


def test_a_wrapup_waits_as_a_proposal(team: Team) -> None:
    path = "memory/sessions/today.md"
    drafted = {"confidence": "agent-drafted", "review": "user-review-recommended"}
    session = text(
        3,
        type="session",
        source="jumpybrain-wrapup",
        title="Today",
        body=f"\n{SECTIONS}",
        **drafted,
    )
    pull = opened(team, {path: session})
    (comment,) = said(pull)
    assert comment.startswith("### MemoryRail: 1 proposal waits for a maintainer")
    say(team, pull, "ada", "/memoryrail approve all")
    team.settle()
    assert "review:" not in (content(pull.repository, pull.head_sha, path) or "review:")
    assert "- added session **SES-" in said(pull)[0]
    assert verdicts(pull) == PASS


def test_what_a_root_must_keep_is_kept(team: Team) -> None:
    """Each rule has a test of its own in tests/formats; here it is that they fail the check."""
    moved = "memory/findings/pool.md"
    pull = opened(
        team,
        {
            DRAFT: DOCUMENTS[DRAFT].replace('"manual"', '"forged"'),
            "memory/.jumpybrain/index.json": "{}\n",
            "memory/sessions/today.md": text(
                3, type="session", source="jumpybrain-wrapup", body="\n## Findings\n- One.\n"
            ),
        },
    )
    pull.push(rename={RULE: moved})
    team.settle()
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    assert faults(pull) == [
        ("memory/.jumpybrain/index.json", 1, "derived-state"),
        (DRAFT, 5, "protected-field:source"),
        (moved, 2, "moved"),
        *(
            ("memory/sessions/today.md", 10, f"missing-section:{name}")
            for name in ("Conflicts / Corrections", "Decisions", "Open Questions")
        ),
    ]
    pull.push(files={"memory/jumpybrain.json": '{"schemaVersion": 2}\n'})
    team.settle()
    assert faults(pull) == [
        ("memory/.jumpybrain/index.json", 1, "derived-state"),
        ("memory/jumpybrain.json", 1, "schema-too-new"),
    ]  # nothing is said of documents that another program must read
    assert verdicts(pull)["precheck"] == "success"  # the base counts


def test_ids_are_stamped_in_one_commit_which_can_be_undone(team: Team) -> None:
    bare = {"memory/notes/a.md": text(id=""), "memory/notes/b.md": "# Plain\n"}
    pull = opened(team, bare)
    assert verdicts(pull) == {**PASS, "memory": "failure"}
    pull.repository.grant("bob", "write")
    say(team, pull, "bob", "/memoryrail stamp-ids")
    team.settle()
    assert verdicts(pull) == PASS
    made = pull.commits[-1].message
    assert made.startswith("memoryrail: stamp-ids 2 documents in memory\n\nStamped-by: bob (")
    assert answers(pull) == ["Stamped: 2 documents in memory."]
    for path, before in bare.items():
        after = content(pull.repository, pull.head_sha, path) or ""
        assert 'id: "mem_' in after
        assert after.endswith(before.rpartition("---\n")[2])
    assert [row[:3] for row in audit(team)] == [("stamp-ids", "", "done")]
    say(team, pull, "ada", "/memoryrail undo")
    team.settle()
    assert {path: content(pull.repository, pull.head_sha, path) for path in bare} == bare


def test_documents_are_named_as_memories_are(team: Team) -> None:
    """By ref, id and path, in commands and citations; and what a format has not is refused."""
    ref = short_ref(MemoryType.CONSTRAINT, id_of(1))
    pull = opened(team, {"src/db/pool.py": "SIZE = 9\n"}, body=f"As [per {id_of(1)}] and {RULE}.")
    assert verdicts(pull) == PASS
    say(team, pull, "ada", f"/memoryrail show {id_of(1)}\n/memoryrail list preference")
    say(team, pull, "ada", f"/memoryrail archive {RULE}\n/memoryrail edit {ref}")
    say(team, pull, "ada", f"/memoryrail ack {ref}")
    team.settle()
    looked, refused = answers(pull)
    assert "preference, active" in looked
    assert f"- **{ref}** · preference, active · One pool" in looked
    assert "Its format knows no such step" in refused
    assert "What is settled" not in refused
    (comment,) = [one for one in said(pull) if "apply ·" in one or "applies ·" in one]
    assert "1 acknowledged on this pull request" in comment


def test_a_document_that_was_approved_holds_as_it_stands(team: Team) -> None:
    pull = opened(team, {"memory/decisions/new.md": DECISION})
    say(team, pull, "ada", f"/memoryrail approve {id_of(4)}")
    team.settle()
    assert verdicts(pull) == PASS
    path = "memory/decisions/new.md"
    approved = content(pull.repository, pull.head_sha, path) or ""
    assert "review:" not in approved
    pull.push(files={path: approved.replace("small", "large")}, login="coder[bot]")
    team.settle()
    assert verdicts(pull)["memory"] == "failure"
    say(team, pull, "ada", f"/memoryrail approve {id_of(4)}")
    team.settle()
    assert verdicts(pull) == PASS
