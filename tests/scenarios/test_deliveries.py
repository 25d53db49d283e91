"""Whatever way deliveries come, a pull request ends with one comment and the right verdicts."""

import threading

import httpx

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, Team, on_both, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}


def opened(team: Team, repository: Repository | None = None) -> PullRequest:
    repository = repository or team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "import sqlite3\n"}, login="alice")
    return repository.open_pull(head="feature", user="alice")


def written(pull: PullRequest) -> tuple[int, int]:
    """How many comments there are, and how many check runs were ever made on its commits."""
    main = pull.repository.git.branch("main")
    runs = [run for run in pull.repository.check_runs.values() if run.head_sha != main]
    return len(said(pull)), len(runs)


@on_both
def test_the_same_delivery_twice_writes_once(team: Team) -> None:
    pull = opened(team)
    team.settle()
    assert written(pull) == (1, 4)
    (first,) = [one for one in team.github.deliveries if one.event == "pull_request"]
    again = team.github.redeliver(first)
    team.settle()
    assert (again.guid, again.status) == (first.guid, 202)
    assert written(pull) == (1, 4)


@on_both
def test_two_deliveries_at_once_make_one_comment(team: Team) -> None:
    team.github.pause_deliveries()
    pull = opened(team)
    pull.edit(title="Read orders")
    sent = [one for one in team.github.deliveries if one.event == "pull_request"]
    assert [one.action for one in sent] == ["opened", "edited"]
    ready = threading.Barrier(2)

    def send(number: int) -> None:
        ready.wait()
        one = sent[number]
        reply = httpx.post(f"{team.url}/webhook", content=one.body, headers=one.headers)
        assert reply.status_code == 202

    threads = [threading.Thread(target=send, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    team.github.resume_deliveries()
    team.settle()
    assert written(pull) == (1, 4)


def test_deliveries_out_of_order_end_at_the_newest_head(team: Team) -> None:
    team.github.pause_deliveries()
    pull = opened(team)
    pull.push(files={"src/api/b.py": "2\n"})
    sent = [one for one in team.github.deliveries if one.event == "pull_request"]
    for one in reversed(sent):
        httpx.post(f"{team.url}/webhook", content=one.body, headers=one.headers)
    team.github.resume_deliveries()
    team.settle()
    assert len(verdicts(pull)) == 4
    assert f"change at {pull.head_sha[:7]}" in said(pull)[0]
    assert len(said(pull)) == 1


@on_both
def test_a_restart_in_the_middle_resumes(team: Team) -> None:
    repository = team.repository(SHOP)
    held = team.github.faults.add("^POST /graphql", hang=True)
    pull = opened(team, repository)
    assert held.waiting.wait(20)
    killer = threading.Thread(target=team.stop)  # it waits for the job that hangs
    killer.start()
    held.release()
    killer.join()
    team.start()
    team.settle()
    assert written(pull) == (1, 4)
    assert len(verdicts(pull)) == 4


def test_what_came_while_the_bot_was_away_is_taken_up_when_delivered_again(team: Team) -> None:
    team.stop()
    pull = opened(team)
    team.github.settle_deliveries()
    (lost,) = [one for one in team.github.deliveries if one.event == "pull_request"]
    assert lost.status != 202
    team.start()
    team.github.redeliver(lost)
    team.settle()
    assert written(pull) == (1, 4)


def test_what_says_nothing_new_writes_nothing(team: Team) -> None:
    pull = opened(team)
    team.settle()
    start = len(team.github.requests)
    team.wake(pull, repository="octo/shop")
    pull.edit(title="Read orders")
    team.settle()
    pull.close()
    team.settle()
    pull.reopen()
    team.settle()
    asked = {request.operation for request in team.github.requests[start:]}
    assert asked == {"graphql PullRequest", "pulls/list-files"}
    assert written(pull) == (1, 4)


def test_a_newer_head_drops_the_review_of_the_one_before(team: Team) -> None:
    pull = opened(team)
    team.settle()
    held = team.github.faults.add("^POST /graphql PullRequest", hang=True)
    pull.push(files={"src/api/b.py": "2\n"})
    overtaken = pull.head_sha
    assert held.waiting.wait(20)
    pull.push(files={"src/api/c.py": "3\n"})
    held.release()
    team.settle()
    assert pull.check_runs(overtaken) == ()
    assert len(verdicts(pull)) == 4
    assert f"change at {pull.head_sha[:7]}" in said(pull)[0]


def test_checks_that_are_asked_for_on_a_head_we_never_heard_of(team: Team) -> None:
    team.stop()
    pull = opened(team)
    team.github.settle_deliveries()
    team.start()
    suites = pull.repository.check_suites.values()
    next(one for one in suites if one.head_sha == pull.head_sha).rerequest(pull.user)
    team.settle()
    assert written(pull) == (1, 4)


def test_a_wrong_signature_changes_nothing(team: Team) -> None:
    team.github.pause_deliveries()
    pull = opened(team)
    (one,) = [one for one in team.github.deliveries if one.event == "pull_request"]
    forged = {**one.headers, "X-Hub-Signature-256": f"sha256={'0' * 64}"}
    reply = httpx.post(f"{team.url}/webhook", content=one.body, headers=forged)
    assert reply.status_code == 401
    assert written(pull) == (0, 0)


@on_both
def test_a_job_that_fails_for_good_still_gives_every_check_a_verdict(team: Team) -> None:
    """GitHub's answers are unusable for as long as the bot tries; then the checks say so."""
    team.github.faults.add("^POST /graphql PullRequest", status=502, times=8)
    pull = opened(team)
    team.settle()
    assert set(verdicts(pull).values()) == {"failure"}
    title = str(pull.check_runs()[0].title)
    assert title.startswith("The bot could not check this (request ")
    assert said(pull) == []
    pull.comment("eve", "/memoryrail recheck")  # anyone may ask
    team.settle()
    assert set(verdicts(pull).values()) == {"success"}
    asked = next(one for one in team.github.deliveries if one.event == "issue_comment")
    issue = {key: value for key, value in asked.payload["issue"].items() if key != "pull_request"}
    before = len(team.github.requests)
    team.github.deliver("issue_comment", {**asked.payload, "issue": issue})  # not on an issue
    team.settle()
    assert len(team.github.requests) == before


def test_the_bot_answers_its_health(team: Team) -> None:
    assert httpx.get(f"{team.url}/healthz").status_code == 200
    assert httpx.get(f"{team.url}/readyz").status_code == 200
