"""Check runs belong to the commit: of all open pull requests with one head the strictest counts."""

import pytest

from bot.handlers import pull as jobs_of_pulls
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import CODE, MEMORIES, POOL, Team, on_both, said, synced, verdicts

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
PASS = {"precheck": "success", "secrets": "success", "memory": "success", "sync": "success"}


def shop(team: Team) -> Repository:
    """main has memories; old is from before they came, so that everything passes there."""
    repository = team.repository(CODE)
    repository.branch("old")
    repository.commit("main", files=SHOP)
    return repository


def removes_a_constraint(repository: Repository) -> PullRequest:
    repository.branch("feature")
    repository.commit(
        "feature", delete=[f".memoryrail/memories/{POOL}.md", "AGENTS.md"], login="alice"
    )
    return repository.open_pull(head="feature", user="alice", title="Tidy")


def opened_before(repository: Repository) -> PullRequest:
    """A pull request that passes, as its base has no memories to remove."""
    repository.branch("feature")
    repository.commit("feature", delete=[f".memoryrail/memories/{POOL}.md", "AGENTS.md"])
    return repository.open_pull(head="feature", base="old", user="alice", title="Tidy")


def summary(pull: PullRequest, name: str = "memoryrail/memory") -> str:
    (run,) = [run for run in pull.check_runs() if run.name == name]
    return str(run.summary)


@on_both
def test_a_second_pull_request_does_not_whitewash_the_first(team: Team) -> None:
    repository = shop(team)
    first = removes_a_constraint(repository)
    team.settle()
    assert verdicts(first) == {**PASS, "memory": "failure"}
    alone = summary(first)
    second = repository.open_pull(head="feature", base="old", user="alice", title="Tidy")
    team.settle()
    assert verdicts(first) == verdicts(second) == {**PASS, "memory": "failure"}
    assert f"- pull request {first.number}: failure, " in summary(first)
    assert f"- pull request {second.number}: success, " in summary(first)
    assert summary(first).endswith(alone)
    (run,) = [run for run in first.check_runs() if run.name == "memoryrail/memory"]
    prefix = f"{repository.id}:{first.number}:main:"
    assert run.external_id.startswith(prefix)
    assert not any("pull request" in text for text in said(second))


def test_nor_one_that_was_there_before(team: Team) -> None:
    repository = shop(team)
    lax = opened_before(repository)
    team.settle()
    assert verdicts(lax) == PASS
    reading = team.github.faults.add("graphql PullRequest", hang=True)
    strict = repository.open_pull(head="feature", user="alice", title="Tidy")
    assert reading.waiting.wait(20)
    assert {run.status for run in strict.check_runs()} == {"in_progress"}
    reading.release()
    team.settle()
    assert verdicts(strict) == {**PASS, "memory": "failure"}
    lax.edit(title="Tidy up")
    team.settle()
    assert verdicts(strict) == {**PASS, "memory": "failure"}


def test_when_one_is_closed_the_other_is_judged_alone(team: Team) -> None:
    repository = shop(team)
    strict = removes_a_constraint(repository)
    lax = repository.open_pull(head="feature", base="old", user="alice", title="Tidy")
    team.settle()
    assert verdicts(lax)["memory"] == "failure"
    strict.close()
    team.settle()
    assert verdicts(lax) == PASS
    assert "several open pull requests" not in summary(lax)
    strict.reopen()
    team.settle()
    assert verdicts(lax)["memory"] == "failure"


def test_when_one_moves_on_the_other_is_judged_alone(team: Team) -> None:
    repository = shop(team)
    strict = removes_a_constraint(repository)
    repository.branch("copy", start="feature")
    lax = repository.open_pull(head="copy", base="old", user="alice", title="Tidy")
    team.settle()
    assert (strict.head_sha, verdicts(lax)["memory"]) == (lax.head_sha, "failure")
    strict.push(files={"a.py": "1\n"})
    team.settle()
    assert verdicts(lax) == PASS
    assert verdicts(strict)["memory"] == "failure"
    strict.force_push(to=lax.head_sha)
    team.settle()
    assert verdicts(lax)["memory"] == "failure"


def test_a_strangers_fork_can_hold_up_but_is_named_and_closing_it_helps(team: Team) -> None:
    repository = shop(team)
    victim = opened_before(repository)
    team.settle()
    assert verdicts(victim) == PASS
    fork = repository.fork("eve")
    twin = repository.open_pull(head=(fork, "feature"), user="eve", title="Mine")
    team.settle()
    assert verdicts(victim) == {**PASS, "memory": "failure"}
    (run,) = [run for run in victim.check_runs() if run.name == "memoryrail/memory"]
    assert str(run.title).startswith(f"Pull request {twin.number}: ")
    assert "close it, or push a commit to either" in summary(victim)
    twin.close(user="octo")
    team.settle()
    assert verdicts(victim) == PASS


def test_when_one_gets_another_base_both_are_judged_by_it(team: Team) -> None:
    repository = shop(team)
    first = removes_a_constraint(repository)
    repository.branch("older", start="old")
    second = repository.open_pull(head="feature", base="old", user="alice", title="Tidy")
    team.settle()
    first.edit(base="older")
    team.settle()
    assert verdicts(first) == verdicts(second) == PASS


def test_a_head_that_is_on_the_default_branch(team: Team) -> None:
    """GitHub then names no open pull request of the commit, but we heard of each."""
    repository = shop(team)
    repository.branch("release")
    repository.commit("main", delete=[f".memoryrail/memories/{POOL}.md", "AGENTS.md"])
    strict = repository.open_pull(head="main", base="release", user="alice", title="Tidy")
    team.settle()
    assert verdicts(strict)["memory"] == "failure"
    lax = repository.open_pull(head="main", base="old", user="alice", title="Tidy")
    team.settle()
    assert verdicts(lax)["memory"] == verdicts(strict)["memory"] == "failure"


def test_writing_ends(team: Team) -> None:
    """The jobs of both come to the same, so that they do not write in turns."""
    repository = shop(team)
    removes_a_constraint(repository)
    second = repository.open_pull(head="feature", base="old", user="alice", title="Tidy")
    team.settle()
    written = len(repository.check_runs)
    second.edit(title="Tidy up")
    team.settle()
    assert len(repository.check_runs) <= written + 4
    written = len(repository.check_runs)
    second.convert_to_draft()
    team.settle()
    assert len(repository.check_runs) == written


def test_more_pull_requests_than_are_reviewed_never_pass(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_of_pulls, "MAX_PULLS", 3)  # each is read by the job of each
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"a.py": "1\n"}, login="alice")
    pulls = []
    for number in range(4):
        repository.branch(f"base{number}")
        pulls.append(repository.open_pull(head="feature", base=f"base{number}", user="alice"))
    team.settle()
    assert set(verdicts(pulls[0]).values()) == {"failure"}
    pulls[3].close()
    team.settle()
    assert verdicts(pulls[0]) == PASS


@on_both
def test_checks_that_are_asked_for_again_are_made_once(team: Team) -> None:
    repository = shop(team)
    first = removes_a_constraint(repository)
    repository.open_pull(head="feature", base="old", user="alice", title="Tidy")
    team.settle()
    written = len(repository.check_runs)
    first.check_runs()[0].suite.rerequest(repository.owner)
    team.settle()
    assert len(repository.check_runs) <= written + 8
    written = len(repository.check_runs)
    first.edit(title="Tidy up")
    team.settle()
    assert len(repository.check_runs) == written
