"""GitHub limits one installation: its jobs wait and give their place back, the others go on."""

import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from email.utils import format_datetime

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, Team, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."
_WORKERS = 4  # of a bot
RATE_LIMITED = {
    "data": None,
    "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}],
}


def opened(repository: Repository) -> PullRequest:
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "x\n"}, login="alice")
    return repository.open_pull(head="feature", user="alice")


def exhausted(team: Team) -> Mapping[str, str]:
    """The headers of a primary limit that ends in a second or two."""
    end = team.github.now() + timedelta(seconds=2)
    return {
        "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": str(int(end.timestamp())),
    }


def a_date(team: Team) -> Mapping[str, str]:
    end = team.github.now() + timedelta(seconds=2)
    return {"retry-after": format_datetime(end, usegmt=True)}


def seconds(_: Team) -> Mapping[str, str]:
    return {"retry-after": "1"}


def test_in_whatever_form_a_limit_comes_it_is_waited_for(team: Team) -> None:
    """All at once, each on another installation: seconds, a date, a reset, and GraphQL's 200."""
    forms: dict[str, tuple[int, Callable[[Team], Mapping[str, str]]]] = {
        "seconds": (429, seconds),
        "date": (403, a_date),
        "reset": (403, exhausted),
    }
    limits = {
        owner: team.github.faults.add(
            f"GET /repos/{owner}/shop/pulls/1/files",
            status=status,
            message="No",
            headers=headers(team),
        )
        for owner, (status, headers) in forms.items()
    }
    repositories = {owner: team.repository(SHOP, f"{owner}/shop") for owner in (*forms, "graph")}
    pulls = [opened(repositories[owner]) for owner in forms]
    while any(limit.hits == 0 for limit in limits.values()):
        time.sleep(0.005)
    limits["graph"] = team.github.faults.add(
        "graphql PullRequest", status=200, body=RATE_LIMITED, headers=exhausted(team)
    )
    pulls.append(opened(repositories["graph"]))
    team.settle()
    assert [verdicts(pull) for pull in pulls] == [PASS] * 4
    assert [len(said(pull)) for pull in pulls] == [1] * 4
    assert [limit.hits for limit in limits.values()] == [1] * 4


def test_a_limit_of_unknown_length_holds_up_nobody_else(team: Team) -> None:
    """More of its jobs than there are workers wait; no request is sent for them meanwhile."""
    busy, other = team.repository(SHOP, "busy/shop"), team.repository(SHOP, "other/shop")
    limit = team.github.faults.add("GET /repos/busy/shop/", status=403, message=SECONDARY, times=99)
    for number in range(_WORKERS + 2):
        busy.branch(f"change-{number}")
        busy.commit(f"change-{number}", files={f"src/api/{number}.py": "x\n"}, login="alice")
        busy.open_pull(head=f"change-{number}", user="alice")
    pull = opened(other)
    while len(pull.check_runs()) < 4:
        time.sleep(0.005)
    assert verdicts(pull) == PASS
    waiting = [job for job in team.unfinished() if job.key.repository_id == busy.id]
    assert len(waiting) == _WORKERS + 2
    assert 1 <= limit.hits <= _WORKERS  # what was on its way when the first was refused


def test_what_a_limit_kept_from_being_written_is_written_once(team: Team) -> None:
    """A limit on writing, after everything was read."""
    pull = opened(team.repository(SHOP))
    team.settle()
    team.github.faults.add(
        "graphql Publish", status=403, message=SECONDARY, headers={"retry-after": "1"}
    )
    pull.push(files={"src/api/new.py": "x\n"})
    team.settle()
    assert verdicts(pull) == PASS
    assert (len(said(pull)), len(pull.check_runs())) == (1, 4)
