"""What was lost while the bot was away, or by a crash, is caught up with when it compares."""

import pytest

from bot.github import survey
from bot.handlers import lacking_verdicts
from bot.jobs.queue import now_ms
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from bot.store import deliveries
from bot.store.deliveries import Delivery, Outcome
from bot.store.pulls import PullKey
from tests.scenarios.conftest import CODE, MEMORIES, POOL, Team, on_both, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def opened(repository: Repository, branch: str = "feature") -> PullRequest:
    repository.branch(branch)
    repository.commit(branch, files={"src/api/orders.py": f"import {branch}\n"}, login="alice")
    return repository.open_pull(head=branch, user="alice")


def written(pull: PullRequest) -> tuple[int, int]:
    """How many comments there are, and how many check runs were ever made on its head."""
    return len(said(pull)), len(pull.check_runs())


def operations(team: Team, start: int) -> list[str]:
    return [request.operation for request in team.github.requests[start:]]


@on_both
def test_what_was_opened_pushed_and_said_while_the_bot_was_away_is_caught_up(team: Team) -> None:
    repository = team.repository(SHOP)
    known = opened(repository)
    team.settle()
    team.stop()
    fresh = opened(repository, "second")
    known.push(files={"src/api/b.py": "1\n"})
    known.comment("octo", "/memoryrail why CON-7475")
    team.github.settle_deliveries()
    team.start()
    with team.bot.database.engine.begin() as connection:  # an older database was put back
        connection.exec_driver_sql("DELETE FROM deliveries WHERE event = 'pull_request'")
    done = team.compare()
    again = [(one.event, one.action) for one in team.github.deliveries if one.redelivery]
    assert again == [
        ("pull_request", "opened"),  # which had been answered 202
        ("push", None),
        ("push", None),
        ("pull_request", "opened"),
        ("push", None),
        ("pull_request", "synchronize"),
        ("issue_comment", "created"),
    ]
    assert (done.redelivered, done.more) == (len(again), False)
    assert verdicts(fresh) == verdicts(known) == PASS
    assert written(fresh) == (1, 4)
    comment, answer = said(known)
    assert len(known.check_runs()) == 4
    assert f"change at {known.head_sha[:7]}" in comment
    assert "CON-7475" in answer


def test_check_runs_that_a_crash_left_in_progress_are_finished(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    for run in pull.check_runs()[:2]:
        run.status, run.conclusion = "in_progress", None
    assert team.compare().woken == 1
    assert verdicts(pull) == PASS
    assert written(pull) == (1, 4)  # the same runs, finished
    assert team.compare().woken == 0


def test_what_no_delivery_tells_of_any_longer_is_found_by_its_head(team: Team) -> None:
    """After three days GitHub's log has forgotten; here it never had an entry."""
    repository = team.repository(SHOP)
    right, team.app.webhook_url = team.app.webhook_url, None
    pulls_ = [opened(repository, f"feature-{number}") for number in range(3)]
    pulls_[2].close()
    group = pulls_[0].enqueue()
    team.app.webhook_url = right
    done = team.compare()
    assert (done.redelivered, done.woken) == (0, 3)
    assert [written(pull) for pull in pulls_] == [(1, 4), (1, 4), (0, 0)]
    suites = [one for one in repository.check_suites.values() if one.head_sha == group]
    assert [suite.conclusion for suite in suites] == ["success"]
    assert team.compare().woken == 0


def test_a_second_pull_request_on_a_judged_head_is_found(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("v1")
    opened(repository)
    team.settle()
    assert [team.compare().woken for _ in range(2)] == [0, 0]
    right, team.app.webhook_url = team.app.webhook_url, None
    second = repository.open_pull(head="feature", base="v1", user="alice")
    team.app.webhook_url = right
    assert [team.compare().woken for _ in range(2)] == [1, 0]
    assert len(said(second)) == 1


def test_a_group_is_judged_by_all_that_it_adds_to_its_base(team: Team) -> None:
    repository = team.repository(SHOP)
    right, team.app.webhook_url = team.app.webhook_url, None
    repository.branch("feature")
    repository.commit("feature", delete=[f".memoryrail/memories/{POOL}.md"], login="alice")
    group = repository.open_pull(head="feature", user="alice").enqueue()
    repository.commit("main", files={"src/db/pool.py": "SIZE = 9\n"})
    team.app.webhook_url = right
    team.compare()
    (suite,) = [one for one in repository.check_suites.values() if one.head_sha == group]
    conclusions = {run.name: run.conclusion for run in suite.latest}
    assert conclusions["memoryrail/memory"] == "failure"


def test_a_delivery_that_was_recorded_but_not_done_is_done(team: Team) -> None:
    """The engine has lost its job; as it was recorded, it is not asked for again."""
    pull = opened(team.repository(SHOP))
    team.settle()
    team.stop()
    pull.push(files={"src/api/b.py": "1\n"})
    team.github.settle_deliveries()
    (sent,) = [one for one in team.github.deliveries if one.action == "synchronize"]
    key = PullKey(repository_id=pull.repository.id, number=pull.number)
    team.start()
    with team.bot.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE pull_states SET queued = TRUE, seq = 2 WHERE number = 1")
        delivery = Delivery(guid=sent.guid, event=sent.event, repository_id=key.repository_id)
        deliveries.record(connection, delivery, now_ms=now_ms())
        deliveries.await_job(connection, sent.guid, number=key.number, seq=2)
    team.sweep()
    assert verdicts(pull) == PASS
    assert [one.redelivery for one in team.github.deliveries if one.guid == sent.guid] == [False]
    with team.bot.database.engine.begin() as connection:
        assert deliveries.outcome(connection, sent.guid) is Outcome.DONE


def test_what_is_right_costs_four_requests_for_fifty_repositories(team: Team) -> None:
    repositories = [team.repository(SHOP, f"octo/shop-{number}") for number in range(3)]
    for repository in repositories:
        opened(repository)
    team.settle()
    looking = ["apps/list-webhook-deliveries", "apps/list-installations"]
    looking += ["apps/list-repos-accessible-to-installation", "graphql OpenHeads"]
    start = len(team.github.requests)
    team.compare()
    assert operations(team, start) == [*looking, "graphql Verdicts"]
    start = len(team.github.requests)
    done = team.compare()
    assert operations(team, start) == looking
    assert (done.redelivered, done.woken, done.more) == (0, 0, False)


def test_installations_that_are_suspended_or_fail_stop_no_other(team: Team) -> None:
    right, team.app.webhook_url = team.app.webhook_url, None
    names = ["one/shop", "two/shop", "three/shop", "four/shop"]
    opened_ = []
    for name in names:
        repository = team.github.create_repository(name, files=SHOP)
        team.app.install(repository)
        opened_.append(opened(repository))
    suspended, failing, lacking, fine = team.app.installations
    team.app.suspend(suspended)
    lacking.permissions["checks"] = "read"
    path = f"POST /app/installations/{failing.id}/access_tokens"
    team.github.faults.add(path, status=403, message="no", times=9)
    team.app.webhook_url = right
    start = len(team.github.requests)
    assert team.compare().woken == 1
    assert [len(pull.check_runs()) for pull in opened_] == [0, 0, 0, 4]
    asked = [one.path for one in team.github.requests[start:] if "access_tokens" in one.path]
    assert asked == [f"/app/installations/{one.id}/access_tokens" for one in (failing, fine)]


@on_both
def test_a_delivery_that_was_answered_404_is_asked_for_until_it_arrives(team: Team) -> None:
    pull = opened(team.repository(SHOP))
    team.settle()
    right, team.app.webhook_url = team.app.webhook_url, f"{team.url}/nowhere"
    pull.edit(body="Keeps to it [per CON-ffff].")
    team.github.settle_deliveries()
    assert [team.compare().redelivered for _ in range(2)] == [1, 0]  # then there is a pause
    with team.bot.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE lost_deliveries SET next_ms = 0")
    team.app.webhook_url = right
    assert [team.compare().redelivered for _ in range(2)] == [1, 0]
    sent = [one.status for one in team.github.deliveries if one.action == "edited"]
    assert sent[:3] == [404, 404, 202]
    assert "names no memory" in said(pull)[0]
    with team.bot.database.engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT guid FROM lost_deliveries").all() == []


def test_a_job_that_was_given_up_is_tried_again(team: Team) -> None:
    repository = team.repository(SHOP)
    outage = team.github.faults.add("^POST /graphql PullRequest", status=502, times=99)
    pull = opened(repository)
    team.settle()
    assert [team.compare().woken for _ in range(2)] == [1, 0]  # in vain; then there is a pause
    assert set(verdicts(pull).values()) == {"failure"}
    outage.times = 0
    with team.bot.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE tried_again SET next_ms = 0")
    assert [team.compare().woken for _ in range(2)] == [1, 0]
    assert verdicts(pull) == PASS


def test_what_comes_in_has_room_beside_it(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the rate limit is left to it, and few jobs wait before it; the rest comes later."""
    monkeypatch.setattr(lacking_verdicts, "MAX_WOKEN", 1)
    monkeypatch.setattr(survey, "_PAGE", 1)
    right, team.app.webhook_url = team.app.webhook_url, None
    shops = [team.repository(SHOP, f"octo/shop-{number}") for number in range(2)]
    opened_ = [opened(repository) for repository in shops]
    team.app.webhook_url = right
    little = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "2499"}
    nothing: dict[str, object] = {"data": {"nodes": []}}
    team.github.faults.add("graphql OpenHeads", status=200, body=nothing, headers=little)
    assert team.compare().woken == 0
    first = team.compare()
    assert (first.woken, first.more) == (1, True)
    team.stop()
    team.start()  # what is left is not forgotten
    start = len(team.github.requests)
    assert team.compare().woken == 1
    pages = operations(team, start).count("apps/list-repos-accessible-to-installation")
    assert pages == 2  # the one where the round stopped is looked at again
    assert [len(pull.check_runs()) for pull in opened_] == [4, 4]
    last = team.compare()
    assert (last.woken, last.more) == (0, False)
