"""GitHub is away, behind, or does not let us: a check never stays unreported without a reason."""

import logging

import pytest

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from bot.sandbox.state.world import DEFAULT_PERMISSIONS
from tests.scenarios.conftest import CODE, MEMORIES, Team, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def unknown(repository: Repository) -> dict[str, object]:
    """GraphQL's answer where it does not know a pull request."""
    known = {"id": repository.node_id, "databaseId": repository.id}
    problem = {
        "type": "NOT_FOUND",
        "path": ["repository", "pullRequest"],
        "message": "Could not resolve to a PullRequest",
    }
    return {"data": {"repository": {**known, "pullRequest": None}}, "errors": [problem]}


def opened(team: Team, repository: Repository | None = None) -> PullRequest:
    repository = repository or team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "x\n"}, login="alice")
    return repository.open_pull(head="feature", user="alice")


def grant(team: Team, **permissions: str | None) -> None:
    """Have an app with other permissions than the usual ones; None leaves one out."""
    wanted = {**DEFAULT_PERMISSIONS, **permissions}
    team.stop()
    team.app = team.github.create_app(
        slug="other", permissions={name: level for name, level in wanted.items() if level}
    )
    team.start()


def test_an_outage_that_is_longer_than_the_retries(team: Team) -> None:
    team.github.faults.add("graphql|GET /repos", status=502, times=60)
    pull = opened(team)
    team.settle()
    assert verdicts(pull) == PASS


def test_a_limit_while_giving_up_is_waited_for(team: Team) -> None:
    team.github.faults.add("^POST /graphql PullRequest", status=502, times=8)
    team.github.faults.add(
        "GET /repos/octo/shop/pulls/1$", status=429, headers={"retry-after": "1"}
    )
    pull = opened(team)
    team.settle()
    assert verdicts(pull) == PASS


def test_a_replica_that_lags_longer_than_one_reading_waits(team: Team) -> None:
    repository = team.repository(SHOP)
    team.github.faults.add("graphql PullRequest", status=200, body=unknown(repository), times=4)
    pull = opened(team, repository)
    team.settle()
    assert verdicts(pull) == PASS


def test_a_replica_that_shows_an_older_head_takes_nothing_back(team: Team) -> None:
    pull = opened(team)
    team.settle()
    old = pull.head_sha
    pull.push(files={"src/api/b.py": "2\n"})
    team.settle()
    start = len(team.github.requests)
    stale = team.github.faults.add("PullRequest|pulls/1/files", stale_head=True, times=7)
    team.wake(pull, repository="octo/shop")
    assert stale.hits == 7  # as long as one reading waits, then once by the ref
    assert not any("Publish" in one.operation for one in team.github.requests[start:])
    assert f"change at {pull.head_sha[:7]}" in said(pull)[0]
    assert (len(pull.check_runs(old)), len(pull.check_runs())) == (4, 4)


def test_a_pushed_head_that_no_replica_shows_yet_is_waited_for(team: Team) -> None:
    pull = opened(team)
    team.settle()
    team.github.faults.add("PullRequest|pulls/1/files", stale_head=True, times=7)
    pull.push(files={"src/api/b.py": "2\n"})
    team.settle()
    assert verdicts(pull) == PASS


def test_a_pull_request_that_rest_does_not_know_either_is_left(
    team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    repository = team.repository(SHOP)
    team.github.faults.add("graphql PullRequest", status=200, body=unknown(repository), times=99)
    team.github.faults.add("GET /repos/octo/shop/pulls/1$", status=404, times=99)
    with caplog.at_level(logging.INFO):
        pull = opened(team, repository)
        team.settle()
    assert pull.check_runs() == ()
    assert "is out of reach" in caplog.text


def test_an_answer_in_part_is_asked_for_again(team: Team) -> None:
    body = {
        "data": {"repository": {"c0": None}},
        "errors": [{"type": "SERVICE_UNAVAILABLE", "path": ["repository", "c0"], "message": "No"}],
    }
    team.github.faults.add("graphql Trees", status=200, body=body)
    pull = opened(team)
    team.settle()
    assert verdicts(pull) == PASS


def test_a_permission_that_is_missing_is_named(team: Team) -> None:
    grant(team, contents=None)
    pull = opened(team)
    team.settle()
    assert set(verdicts(pull).values()) == {"failure"}
    assert {str(run.title) for run in pull.check_runs()} == {
        "The app lacks a permission here (contents: read)"
    }
    assert said(pull) == []


@pytest.mark.parametrize("level", [None, "read"])
def test_without_checks_the_operator_is_told(
    team: Team, caplog: pytest.LogCaptureFixture, level: str | None
) -> None:
    grant(team, checks=level)
    pull = opened(team)
    team.settle()
    assert pull.check_runs() == ()
    (told,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "octo/shop" in told.getMessage()
    assert "has not granted checks: write" in told.getMessage()


def test_a_closed_pull_request_is_not_failed(team: Team) -> None:
    pull = opened(team)
    team.settle()
    team.github.faults.add("^POST /graphql PullRequest", status=502, times=8)
    pull.close()
    team.settle()
    assert verdicts(pull) == PASS
