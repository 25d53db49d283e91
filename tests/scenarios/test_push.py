"""A base branch with other memories: what targets it is judged anew, and nothing else."""

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, Team, memory, said, synced

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
NEW = memory("20260501-utc", "constraint", "Times are in UTC", more='links: ["src/api"]\n')


def opened(repository: Repository, branch: str = "feature", base: str = "main") -> PullRequest:
    repository.branch(branch)
    repository.commit(branch, files={"src/api/orders.py": "import db\n"}, login="alice")
    return repository.open_pull(head=branch, base=base, user="alice")


def test_a_new_constraint_reaches_the_open_pull_requests(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    assert "Times are in UTC" not in said(pull)[0]
    repository.commit("main", files=NEW)
    team.settle()
    assert "Times are in UTC" in said(pull)[0]
    assert len(said(pull)) == 1


def test_a_push_of_code_wakes_nobody(team: Team) -> None:
    repository = team.repository(SHOP)
    opened(repository)
    team.settle()
    before = len(team.github.requests)
    repository.commit("main", files={"src/db/pool.py": "SIZE = 9\n"})
    team.settle()
    assert len(team.github.requests) == before
