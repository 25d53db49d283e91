"""A base branch with other memories: what targets it is judged anew, and nothing else."""

import pytest

from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from tests.scenarios.conftest import (
    CODE,
    MEMORIES,
    POOL,
    Team,
    memory,
    on_both,
    said,
    synced,
    verdicts,
)

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
NEW = memory("20260501-utc", "constraint", "Times are in UTC", more='links: ["src/api"]\n')


def opened(repository: Repository, branch: str = "feature", base: str = "main") -> PullRequest:
    repository.branch(branch)
    repository.commit(branch, files={"src/api/orders.py": f"import {branch}\n"}, login="alice")
    return repository.open_pull(head=branch, base=base, user="alice")


@on_both
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


def test_only_what_targets_the_branch_is_woken(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("v1")
    on_main, on_v1 = opened(repository), opened(repository, "fix", base="v1")
    team.settle()
    repository.commit("v1", files=NEW)
    team.settle()
    assert "Times are in UTC" not in said(on_main)[0]
    assert "Times are in UTC" in said(on_v1)[0]


def test_a_memory_that_is_gone_is_gone_from_the_comment(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    assert "Only src/db opens connections" in said(pull)[0]
    repository.commit("main", delete=[f".memoryrail/memories/{POOL}.md", "AGENTS.md"])
    team.settle()
    assert "Only src/db opens connections" not in said(pull)[0]


def test_settings_of_the_default_branch_reach_every_branch(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("v1")
    on_main, on_v1 = opened(repository), opened(repository, "fix", base="v1")
    team.settle()
    assert verdicts(on_main)["precheck"] == verdicts(on_v1)["precheck"] == "success"
    repository.commit("main", files={".github/memoryrail.yml": "precheck:\n  require: all\n"})
    team.settle()
    assert verdicts(on_main)["precheck"] == verdicts(on_v1)["precheck"] == "action_required"


def test_under_other_settings_no_verdict_stands_while_it_is_judged(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("v1")
    pulls = [opened(repository), opened(repository, "fix", base="v1")]
    team.settle()
    reading = team.github.faults.add("graphql PullRequest", hang=True, times=2)
    repository.commit("main", files={".github/memoryrail.yml": "precheck:\n  require: all\n"})
    while reading.hits < 2:
        assert reading.waiting.wait(20)
    runs = [run for pull in pulls for run in pull.check_runs()]
    assert [run.status for run in runs] == ["in_progress"] * 8
    reading.release()
    team.settle()
    assert [verdicts(pull)["precheck"] for pull in pulls] == ["action_required"] * 2


def test_other_settings_take_back_no_more_verdicts_than_can_be_written(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.handlers.repository_jobs.MAX_IN_PROGRESS", 1)
    repository = team.repository(SHOP)
    opened(repository)
    newer = opened(repository, "fix")
    team.settle()
    before = len(team.github.requests)
    repository.commit("main", files={".github/memoryrail.yml": "precheck:\n  require: all\n"})
    team.settle()
    names = [request.operation for request in team.github.requests[before:]]
    assert (names.count("graphql Unsettle"), names.count("graphql Publish")) == (1, 2)
    runs = [run for run in repository.check_runs.values() if run.head_sha == newer.head_sha]
    assert len(runs) == 8


def test_a_forced_push_to_the_base_is_taken_to_change_memories(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    repository.branch("other")
    team.settle()
    repository.commit("other", files=NEW)
    before = repository.git.branch("other")
    assert before is not None
    repository.commit("main", files={"a.py": "1\n"})
    repository.move("main", before, sender=repository.owner)  # a sha that is no descendant
    team.settle()
    assert "Times are in UTC" in said(pull)[0]


def test_a_merge_of_memories_reaches_the_others(team: Team) -> None:
    repository = team.repository(SHOP)
    repository.branch("learned")
    repository.commit("learned", files=NEW, login="bob")
    learned, pull = repository.open_pull(head="learned", user="bob"), opened(repository)
    team.settle()
    learned.merge(user="octo")
    team.settle()
    assert "Times are in UTC" in said(pull)[0]


def test_a_wake_costs_one_request_beside_the_reviews(team: Team) -> None:
    repository = team.repository(SHOP)
    opened(repository)
    opened(repository, "second")
    team.settle()
    before = len(team.github.requests)
    repository.commit("main", files=NEW)
    team.settle()
    names = [request.operation for request in team.github.requests[before:]]
    assert names.count("graphql OpenPulls") == 1
    assert names.count("graphql PullRequest") == 2


def test_a_listing_that_fails_is_tried_again(team: Team) -> None:
    repository = team.repository(SHOP)
    pull = opened(repository)
    team.settle()
    team.github.faults.add("^POST /graphql OpenPulls", status=502, times=5)
    repository.commit("main", files=NEW)
    team.settle()
    assert "Times are in UTC" in said(pull)[0]
