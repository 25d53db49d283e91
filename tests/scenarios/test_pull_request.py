"""A pull request is opened, pushed to and edited; the bot comments once and gives four verdicts."""

from tests.scenarios.conftest import CODE, MEMORIES, Team, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def test_opened_gives_one_comment_and_four_checks(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "import sqlite3\n"})
    pull = repository.open_pull(head="feature", user="alice", title="Read orders directly")
    team.settle()
    assert verdicts(pull) == PASS
    (text,) = said(pull)
    assert text.startswith("### MemoryRail: 2 constraints bind this change\n")
    assert "because `src/api/orders.py` lies under `src/api`, which it links" in text
