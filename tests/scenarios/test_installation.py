"""From the moment of its installation the checks can be required, and what is open is checked."""

from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, Team, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def on_main(repository: Repository) -> dict[str, str]:
    tip = repository.git.branch("main")
    suites = [suite for suite in repository.check_suites.values() if suite.head_sha == tip]
    return {run.name: str(run.title) for suite in suites for run in suite.latest}


def test_the_checks_can_be_chosen_and_open_pull_requests_are_checked(team: Team) -> None:
    repository = team.github.create_repository("octo/shop", files=SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "import db\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    assert pull.check_runs() == ()
    team.app.install(repository)
    team.settle()
    assert sorted(on_main(repository)) == [
        "memoryrail/memory",
        "memoryrail/precheck",
        "memoryrail/secrets",
        "memoryrail/sync",
    ]
    assert set(on_main(repository).values()) == {"Ready: pull requests are checked from now on"}
    assert verdicts(pull) == PASS
    assert len(said(pull)) == 1
