"""A repository that keeps its memory as documents below memory/."""

from bot.core.model import MemoryType, short_ref
from bot.sandbox.state.pulls import PullRequest
from tests.formats.jumpybrain.making import SECTIONS, id_of, text
from tests.scenarios.commanding import content, say
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
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def opened(team: Team, files: dict[str, str]) -> PullRequest:
    repository = team.repository({**CODE, **DOCUMENTS})
    repository.grant("ada", "maintain")
    repository.branch("feature")
    repository.commit("feature", files=files, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    return pull


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
