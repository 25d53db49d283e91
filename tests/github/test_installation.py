"""One installation's requests: its limits, its pace and its token, apart from all others'."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.errors import GitHubError
from bot.github.errors import RateLimited, WriteUncertain
from bot.github.installation import GitHubApp, MutationRequest, RepositoryAccess
from bot.github.mutations import Mutation, request_of
from bot.github.pacing import Pacing
from tests.github.conftest import FakeTime, Shop

PATH = "/compare/main...main"


@pytest.fixture
async def paced(shop: Shop, clock: FakeTime) -> AsyncIterator[RepositoryAccess]:
    """octo/shop as an app reaches it that keeps to GitHub's pace."""
    app = GitHubApp(
        app_id=str(shop.app.id),
        private_key=shop.app.private_key_pem,
        api_url=shop.github.url,
        timing=replace(clock.timing, pacing=Pacing()),
    )
    yield app.installation(shop.installation.id).repository("octo", "shop")
    await app.aclose()


def runs(shop: Shop, count: int = 1) -> MutationRequest:
    """A request that makes check runs on the default branch."""
    fields: dict[str, object] = {
        "repositoryId": shop.repository.node_id,
        "headSha": shop.repository.git.branch("main"),
        "status": "COMPLETED",
        "conclusion": "SUCCESS",
    }
    return request_of(
        {f"run{n}": Mutation.create_check_run(fields | {"name": f"run {n}"}) for n in range(count)}
    )


def reaction(shop: Shop) -> MutationRequest:
    comment = shop.open({"src/b.py": "b\n"}).comment("alice", "/memoryrail help")
    fields = {"subjectId": comment.node_id, "content": "EYES"}
    return request_of({"reaction": Mutation.add_reaction(fields)})


async def test_a_limited_installation_is_left_alone_until_the_limit_ends(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    shop.github.faults.add(
        "GET /repos/octo/shop/compare", status=429, headers={"retry-after": "30"}
    )
    with pytest.raises(RateLimited):
        await access.get("/compare/main...main")
    before = len(shop.github.requests)
    with pytest.raises(RateLimited) as got:
        await access.get("/compare/main...main")
    assert len(shop.github.requests) == before
    assert timedelta(seconds=28) < got.value.retry_after <= timedelta(seconds=30)
    clock.ahead += timedelta(seconds=31)
    assert (await access.get("/compare/main...main")).status == 200


async def test_other_installations_go_on(
    shop: Shop, access: RepositoryAccess, bot: GitHubApp
) -> None:
    other = shop.app.install(shop.github.create_repository("acme/tool", files={"a": "1\n"}))
    shop.github.faults.add("GET /repos/octo/shop/compare", status=429)
    with pytest.raises(RateLimited):
        await access.get(PATH)
    elsewhere = bot.installation(other.id).repository("acme", "tool")
    assert (await elsewhere.get(PATH)).status == 200


async def test_a_limit_of_unknown_length_is_waited_for_longer_each_time(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    """https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api"""
    shop.github.faults.add("GET /repos/octo/shop/compare", status=403, times=6)
    waited = []
    for _ in range(6):
        with pytest.raises(RateLimited) as got:
            await access.get(PATH)
        waited.append(got.value.retry_after / timedelta(minutes=1))
        clock.ahead += got.value.retry_after
    assert waited == [1, 2, 4, 8, 16, 16]
    assert (await access.get(PATH)).status == 200
    shop.github.faults.add("GET /repos/octo/shop/compare", status=403)
    with pytest.raises(RateLimited) as got:
        await access.get(PATH)
    assert got.value.retry_after == timedelta(minutes=1)


async def test_requests_that_are_refused_together_are_one_refusal(
    shop: Shop, access: RepositoryAccess
) -> None:
    await access.get(PATH)
    hanging = shop.github.faults.add("GET /repos/octo/shop/compare", status=403, times=5, hang=True)
    asked = [asyncio.ensure_future(access.get(PATH)) for _ in range(5)]
    while hanging.hits < 5:  # noqa: ASYNC110 (the sandbox is in another thread)
        await asyncio.sleep(0.001)
    hanging.release()
    refused = await asyncio.gather(*asked, return_exceptions=True)
    assert {str(each) for each in refused} == {"GitHub limits our requests for 60 s"}


async def test_of_two_limits_the_longer_counts(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    await access.get(PATH)
    limits = [
        shop.github.faults.add(path, status=429, headers={"retry-after": after}, hang=True)
        for path, after in (("compare/", "90"), ("commits/", "5"))
    ]
    asked = [asyncio.ensure_future(access.get(path)) for path in (PATH, "/commits/main")]
    for limit in limits:
        while not limit.hits:  # noqa: ASYNC110 (the sandbox is in another thread)
            await asyncio.sleep(0.001)
    for limit, each in zip(limits, asked, strict=True):
        limit.release()
        with pytest.raises(RateLimited):
            await each
    clock.ahead += timedelta(seconds=60)
    with pytest.raises(RateLimited):
        await access.get(PATH)


async def test_content_is_created_a_second_apart(
    shop: Shop, paced: RepositoryAccess, clock: FakeTime
) -> None:
    await asyncio.gather(*(paced.mutate(runs(shop)) for _ in range(3)))
    assert len(clock.slept) == 2
    assert all(0.5 < pause <= 1 for pause in clock.slept)


async def test_a_reaction_does_not_keep_a_commit_waiting(
    shop: Shop, paced: RepositoryAccess, clock: FakeTime
) -> None:
    await paced.mutate(reaction(shop))
    await paced.mutate(runs(shop))
    assert clock.slept == []


async def test_a_turn_that_is_far_off_is_for_the_worker(
    shop: Shop, paced: RepositoryAccess, clock: FakeTime
) -> None:
    for _ in range(16):
        await paced.mutate(runs(shop, 5))
    with pytest.raises(RateLimited) as got:
        await paced.mutate(runs(shop))
    assert timedelta(seconds=40) < got.value.retry_after <= timedelta(seconds=60)
    assert (await paced.get(PATH)).status == 200  # reading goes on
    clock.ahead += got.value.retry_after
    await paced.mutate(runs(shop))


@pytest.mark.parametrize(
    ("error", "is_uncertain"),
    [
        ({"message": "Something went wrong while executing your query"}, True),
        ({"type": "FORBIDDEN", "message": "Resource not accessible by integration"}, False),
    ],
)
async def test_a_write_without_an_answer_may_have_landed(
    shop: Shop, access: RepositoryAccess, error: dict[str, str], is_uncertain: bool
) -> None:
    body = {"data": None, "errors": [error]}
    shop.github.faults.add("graphql Publish", status=200, body=body)
    with pytest.raises(GitHubError, match="no data") as got:
        await access.mutate(runs(shop))
    assert isinstance(got.value, WriteUncertain) is is_uncertain


async def test_what_is_left_of_each_limit_is_known(shop: Shop, access: RepositoryAccess) -> None:
    await access.get(PATH)
    await access.get(PATH)
    await access.mutate(runs(shop))
    rates = access.installation.rates
    assert {name: rate.limit for name, rate in rates.items()} == {"core": 5000, "graphql": 5000}
    assert {name: rate.remaining for name, rate in rates.items()} == {"core": 4998, "graphql": 4999}
