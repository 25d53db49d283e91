"""Verdicts that may be another base's are taken back, each once."""

import pytest

from bot.core.errors import GitHubError
from bot.github.errors import NotFound
from bot.github.in_progress import put_in_progress
from bot.github.installation import RepositoryAccess
from bot.sandbox.state.checks import create_check_run
from bot.sandbox.state.pulls import PullRequest
from tests.github.conftest import Shop

NAMES = ("memoryrail/memory", "memoryrail/sync")


def judged(shop: Shop) -> PullRequest:
    pull = shop.open({"src/b.py": "b\n"})
    for name in NAMES:
        fields = {"name": name, "head_sha": pull.head_sha, "conclusion": "success"}
        create_check_run(shop.repository, shop.app, fields)
    return pull


@pytest.mark.parametrize("knows_head", [True, False])
async def test_each_verdict_gets_an_unfinished_run_of_its_name(
    shop: Shop, access: RepositoryAccess, knows_head: bool
) -> None:
    pull = judged(shop)
    for _ in range(2):
        head = pull.head_sha if knows_head else None
        assert await put_in_progress(access, pull.number, head=head)
        runs = pull.check_runs()
        assert [(run.name, run.status) for run in runs] == [(name, "in_progress") for name in NAMES]
        assert {run.external_id for run in runs} == {f"{shop.repository.id}:1:main:unsettled"}
    assert len(shop.repository.check_runs) == 4


async def test_after_a_502_it_looks_before_it_writes_again(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = judged(shop)
    shop.github.faults.add("graphql Unsettle", status=502, after_effect=True)
    await put_in_progress(access, pull.number, head=pull.head_sha)
    assert len(shop.repository.check_runs) == 4


async def test_a_write_that_always_fails_ends_in_an_error(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = judged(shop)
    shop.github.faults.add("graphql Unsettle", status=502, times=99)
    with pytest.raises(GitHubError, match="does not take our checks back"):
        await put_in_progress(access, pull.number, head=pull.head_sha)


async def test_what_github_does_not_know_yet_is_asked_for_again(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = judged(shop)
    unknown = {"data": {"repository": {"databaseId": shop.repository.id, "pullRequest": None}}}
    shop.github.faults.add("graphql Verdicts", status=200, body=unknown)
    await put_in_progress(access, pull.number, head=pull.head_sha)
    assert {run.status for run in pull.check_runs()} == {"in_progress"}
    with pytest.raises(NotFound, match="pull request 99 of octo/shop"):
        await put_in_progress(access, 99, head=pull.head_sha)


async def test_what_is_closed_or_has_moved_is_left_alone(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = judged(shop)
    was = pull.head_sha
    pull.push(files={"src/b.py": "c\n"})
    assert not await put_in_progress(access, pull.number, head=was)
    pull.force_push(to=was)
    pull.close()
    assert not await put_in_progress(access, pull.number, head=was)
    assert {run.status for run in shop.repository.check_runs.values()} == {"completed"}
