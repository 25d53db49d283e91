"""Closed pull requests tell which words and directories say little in a repository."""

import sqlalchemy as sa

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, Team, on_both, said

TITLE = "Retry orders when the gateway charged twice"


def opened(repository: Repository, number: int, title: str) -> PullRequest:
    branch = f"b{number}"
    repository.branch(branch)
    repository.commit(branch, files={f"docs/{number}.md": "1\n"}, login="alice")
    return repository.open_pull(head=branch, title=title, user="alice")


def asked(team: Team) -> int:
    return len([one for one in team.github.requests if "PastPulls" in one.operation])


@on_both
def test_words_of_most_closed_pull_requests_find_nothing(team: Team) -> None:
    """The past is asked for once, what closes later is counted, and no word of it is kept."""
    team.stop()
    repository = team.repository({**CODE, **MEMORIES})
    for number in range(12):
        opened(repository, number, TITLE).close()
    team.start()
    pull = opened(repository, 20, TITLE)
    team.settle()
    assert asked(team) == 1
    assert "ATT-335f" not in "".join(said(pull))
    later = opened(repository, 21, "Something else")
    team.settle()
    later.close()
    team.settle()
    pull.edit(title="The gateway timeout charged twice")
    team.settle()
    assert asked(team) == 1
    with team.bot.database.engine.connect() as connection:
        changes = connection.execute(sa.text("SELECT changes FROM histories")).scalar_one()
        kept = connection.execute(sa.text("SELECT * FROM history_counts")).all()
    assert changes == 13
    assert all(isinstance(value, int) for row in kept for value in row)


def test_without_a_past_the_same_words_find_the_memory(team: Team) -> None:
    repository = team.repository({**CODE, **MEMORIES})
    pull = opened(repository, 1, TITLE)
    team.settle()
    assert asked(team) == 1
    assert "ATT-335f" in said(pull)[0]


def test_a_repository_without_memories_has_no_past(team: Team) -> None:
    repository = team.repository(CODE)
    opened(repository, 1, TITLE).close()
    opened(repository, 2, TITLE)
    team.settle()
    assert asked(team) == 0


def test_the_past_waits_while_less_than_half_of_the_budget_is_left(team: Team) -> None:
    repository = team.repository(CODE)
    opened(repository, 1, TITLE).close()
    team.settle()
    rates = team.github.world.rates
    (caller,) = {caller for caller, resource in rates._counted if resource == "graphql"}
    while rates.look(caller, "graphql").remaining > rates.limit / 2 - 1:
        rates.count(caller, "graphql")
    repository.commit("main", files=MEMORIES)
    pull = opened(repository, 2, TITLE)
    team.settle()
    assert "ATT-335f" in said(pull)[0]
    assert asked(team) == 0
