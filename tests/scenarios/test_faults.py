"""GitHub fails, lags and moves on under our hands: one right verdict all the same, written once."""

from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox.git import File
from bot.sandbox.state.pulls import PullRequest
from tests.scenarios.conftest import CODE, MEMORIES, Team, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}

STUMBLE = {"data": None, "errors": [{"message": "Something went wrong while executing your query"}]}
FAULTS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "reads fail": [("GET /repos|graphql PullRequest", {"status": 502, "times": 3})],
    "a write fails": [("graphql Publish", {"status": 502})],
    "a write lands and its answer does not": [
        ("graphql Publish", {"status": 502, "after_effect": True})
    ],
    "a write fails, then lands": [
        ("graphql Publish", {"status": 504}),
        ("graphql Publish", {"status": 504, "after_effect": True}),
    ],
    "the token is refused": [("GET /repos|graphql", {"status": 401, "times": 2})],
    "a write is refused for its token": [("graphql Publish", {"status": 401})],
    "a new token is refused as well": [("graphql PullRequest", {"status": 401, "times": 2})],
    "the files are not there yet": [("GET /repos/octo/shop/pulls/", {"status": 404})],
    "the query stumbles": [("graphql PullRequest", {"status": 200, "body": STUMBLE})],
    "the mutation stumbles": [("graphql Publish", {"status": 200, "body": STUMBLE})],
    "a replica lags": [("graphql PullRequest|GET /repos", {"stale_head": True, "times": 2})],
    "all of it": [
        ("access_tokens", {"status": 404}),
        ("graphql PullRequest", {"status": 401}),
        ("GET /repos/octo/shop/pulls/", {"status": 500, "times": 2}),
        ("graphql Publish", {"status": 502, "after_effect": True}),
    ],
}


def opened(team: Team) -> PullRequest:
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "x\n"}, login="alice")
    return repository.open_pull(head="feature", user="alice")


def test_each_verdict_is_right_and_written_once(team: Team) -> None:
    pull = opened(team)
    team.settle()
    for number, (name, faults) in enumerate(FAULTS.items()):
        added = [team.github.faults.add(pattern, **fault) for pattern, fault in faults]
        team.github.advance(timedelta(minutes=1))  # so that the token is no new one
        team.clock.ahead += timedelta(minutes=1)
        pull.push(files={"src/api/new.py": f"{number}\n"})
        team.settle()
        team.github.faults.clear()
        assert all(fault.hits == fault.times for fault in added), name
        assert verdicts(pull) == PASS, name
        assert (len(said(pull)), len(pull.check_runs())) == (1, 4), name
        assert f"change at {pull.head_sha[:7]}" in said(pull)[0], name


def test_a_push_by_force_while_the_old_head_is_read(team: Team) -> None:
    """The verdict lands on the commit that it is about, and the comment is of the newest head."""
    pull = opened(team)
    old = pull.head_sha
    team.settle()
    reading = team.github.faults.add("GET /repos/octo/shop/pulls/", hang=True)
    pull.push(files={".memoryrail/memories/bad.md": "no frontmatter\n"})
    middle = pull.head_sha
    assert reading.waiting.wait(10)
    pull.force_push(files={"src/db/pool.py": "SIZE = 9\n"})
    reading.release()
    team.settle()
    assert verdicts(pull) == PASS
    assert "fault" not in said(pull)[0]
    assert [run.conclusion for run in pull.check_runs(old)] == ["success"] * 4
    assert {run.conclusion for run in pull.check_runs(middle)} <= {"failure", "success"}
    assert (len(said(pull)), len(pull.check_runs())) == (1, 4)


def test_a_push_by_force_while_the_verdict_is_written(team: Team) -> None:
    pull = opened(team)
    team.settle()
    writing = team.github.faults.add("graphql Publish", hang=True)
    pull.push(files={".memoryrail/memories/bad.md": "no frontmatter\n"})
    middle = pull.head_sha
    assert writing.waiting.wait(10)
    pull.force_push(files={"src/db/pool.py": "SIZE = 9\n"})
    writing.release()
    team.settle()
    assert verdicts(pull) == PASS
    assert "1 fault" not in said(pull)[0]
    by_name = {run.name: run.conclusion for run in pull.check_runs(middle)}
    assert by_name["memoryrail/memory"] == "failure"


@pytest.mark.parametrize("minutes", [-30, 30])
def test_a_wrong_clock_stops_nothing(
    team: Team, caplog: pytest.LogCaptureFixture, minutes: int
) -> None:
    team.stop()
    team.clock.ahead = timedelta(minutes=minutes)
    team.start()
    pull = opened(team)
    team.settle()
    assert verdicts(pull) == PASS
    assert "clock skew" in caplog.text
    team.github.violations.clear()  # the JWT that taught us


def test_a_revoked_token_is_replaced_once(team: Team) -> None:
    pull = opened(team)
    team.settle()
    team.github.world.revoke_tokens(team.installation)
    before = len(team.github.requests)
    pull.push(files={"src/api/new.py": "x\n"})
    team.settle()
    assert verdicts(pull) == PASS
    asked = [each.operation for each in team.github.requests[before:]]
    assert asked.count("apps/create-installation-access-token") == 1


def test_a_locked_conversation_gets_the_checks(team: Team) -> None:
    team.github.pause_deliveries()
    pull = opened(team)
    pull.lock()
    team.github.resume_deliveries()
    team.settle()
    assert (verdicts(pull), said(pull)) == (PASS, [])


def test_every_way_to_change_a_path_counts(team: Team) -> None:
    """GitHub has seven words for it; none of them hides a path from the constraint on it."""
    files = {f"src/api/{name}.py": f"{name} = 1\n" * 9 for name in ("run", "gone", "old", "link")}
    repository = team.repository({**SHOP, **files})
    changes: dict[str, dict[str, Any]] = {
        "mode": {"files": {"src/api/run.py": File(data=b"run = 1\n" * 9, mode="100755")}},
        "removed": {"delete": ["src/api/gone.py"]},
        "renamed": {"rename": {"src/api/old.py": "src/web/old.py"}},
        "symlink": {"files": {"src/api/link.py": File(data=b"run.py", mode="120000")}},
        "submodule": {"files": {"src/api/lib": File(data=b"1" * 40, mode="160000")}},
    }
    pulls = {}
    for name, change in changes.items():
        repository.branch(name)
        repository.commit(name, login="alice", **change)
        pulls[name] = repository.open_pull(head=name, user="alice")
    team.settle()
    for name, pull in pulls.items():
        assert verdicts(pull) == PASS, name
        reason = "renamed from `src/api/old.py`" if name == "renamed" else "`src/api` is linked"
        assert f"why: {reason}" in said(pull)[0], name
