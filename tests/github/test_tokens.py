"""The app's JWT and the tokens of installations."""

import asyncio
from datetime import timedelta

import pytest

from bot.core.errors import GitHubError, SettingsError
from bot.github.errors import OutOfReach, RateLimited
from bot.github.installation import GitHubApp, MutationRequest, RepositoryAccess
from bot.sandbox import Sandbox
from tests.github.conftest import FakeTime, Shop

PATH = "/compare/main...main"


def minted(github: Sandbox) -> int:
    return sum(
        each.operation == "apps/create-installation-access-token" for each in github.requests
    )


async def test_many_at_once_mint_one_token(shop: Shop, access: RepositoryAccess) -> None:
    replies = await asyncio.gather(*(access.get(PATH) for _ in range(20)))
    assert {reply.status for reply in replies} == {200}
    assert minted(shop.github) == 1


async def test_a_token_is_minted_again_before_it_ends(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    await access.get(PATH)
    clock.ahead += timedelta(minutes=50)
    await access.get(PATH)
    assert minted(shop.github) == 1
    clock.ahead += timedelta(minutes=8, seconds=30)
    shop.github.advance(timedelta(minutes=58, seconds=30))
    await access.get(PATH)
    assert minted(shop.github) == 2


async def test_a_revoked_token_is_dropped_and_replaced(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    await access.get(PATH)
    clock.ahead += timedelta(minutes=5)
    shop.github.advance(timedelta(minutes=5))
    shop.github.world.revoke_tokens(shop.installation)
    assert (await access.get(PATH)).status == 200
    assert (minted(shop.github), clock.slept) == (2, [])


async def test_a_fresh_token_is_given_time_to_spread(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    shop.github.faults.add("GET /repos/octo/shop/compare", status=401)
    assert (await access.get(PATH)).status == 200
    assert (minted(shop.github), clock.slept) == (1, [2.0])


@pytest.mark.parametrize("is_fresh", [True, False])
async def test_a_token_that_is_always_refused_is_replaced_once(
    shop: Shop, access: RepositoryAccess, clock: FakeTime, is_fresh: bool
) -> None:
    await access.get(PATH)
    if not is_fresh:
        clock.ahead += timedelta(minutes=5)
        shop.github.advance(timedelta(minutes=5))
    shop.github.faults.add("GET /repos/octo/shop/compare", status=401, times=99)
    with pytest.raises(GitHubError, match="refuses the token") as got:
        await access.get(PATH)
    assert got.value.status == 401
    assert minted(shop.github) == 2


async def test_a_write_that_was_refused_for_its_token_is_sent_again(
    shop: Shop, access: RepositoryAccess
) -> None:
    shop.github.faults.add("graphql Head", status=401, times=3)
    query = MutationRequest(
        text="mutation Head { __typename }", variables={}, mutations=1, creates_content=True
    )
    assert (await access.mutate(query)).data == {"__typename": "Mutation"}
    assert minted(shop.github) == 2


async def test_minting_is_repeated_after_a_502(shop: Shop, access: RepositoryAccess) -> None:
    shop.github.faults.add("access_tokens", status=502, times=2)
    assert (await access.get(PATH)).status == 200


async def test_a_limit_on_minting_is_a_limit(shop: Shop, access: RepositoryAccess) -> None:
    shop.github.faults.add("access_tokens", status=403, headers={"retry-after": "5"})
    with pytest.raises(RateLimited):
        await access.get(PATH)


@pytest.mark.parametrize("minutes", [-20, 20])
async def test_a_wrong_clock_is_put_right_by_the_date_of_the_refusal(
    shop: Shop, access: RepositoryAccess, clock: FakeTime, minutes: int
) -> None:
    clock.ahead = timedelta(minutes=minutes)
    assert (await access.get(PATH)).status == 200
    shop.github.violations.clear()  # the refused JWT


async def test_a_refusal_of_the_app_without_a_reason_is_asked_again_with_a_new_jwt(
    shop: Shop, bot: GitHubApp, access: RepositoryAccess, clock: FakeTime
) -> None:
    shop.github.faults.add("GET /app$", status=401)
    shop.github.faults.add("access_tokens", status=401)
    assert (await bot.identity()).slug == "memoryrail"
    assert (await access.get(PATH)).status == 200
    assert (clock.slept, bot.credentials.refusal) == ([1.0, 1.0], "")


async def test_a_second_refusal_of_the_app_counts_until_github_takes_it(
    shop: Shop, bot: GitHubApp
) -> None:
    shop.github.faults.add("GET /app$", status=401, times=2)
    with pytest.raises(GitHubError) as got:
        await bot.identity()
    assert str(got.value) == bot.credentials.refusal != ""
    assert (await bot.identity()).slug == "memoryrail"
    assert bot.credentials.refusal == ""


async def test_a_clock_that_drifts_is_noticed_when_a_token_is_minted(
    shop: Shop, access: RepositoryAccess, clock: FakeTime, caplog: pytest.LogCaptureFixture
) -> None:
    clock.ahead = timedelta(seconds=-50)  # the JWT is good, but we would take tokens for too good
    await access.get(PATH)
    assert "GitHub is 50 s ahead" in caplog.text or "GitHub is 49 s ahead" in caplog.text
    assert minted(shop.github) == 1


async def test_a_new_installation_is_given_time_to_be_known(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    shop.github.faults.add("access_tokens", status=404, times=2)
    assert (await access.get(PATH)).status == 200
    assert clock.slept == [1.0, 2.0]


async def test_an_installation_that_is_gone(shop: Shop, bot: GitHubApp) -> None:
    shop.app.uninstall(shop.installation)
    with pytest.raises(OutOfReach):
        await bot.installation(shop.installation.id).permissions()


async def test_what_was_granted_comes_with_the_token(shop: Shop, bot: GitHubApp) -> None:
    granted = await bot.installation(shop.installation.id).permissions()
    assert granted["checks"] == "write"


async def test_who_we_are_is_asked_once(shop: Shop, bot: GitHubApp) -> None:
    first, second = await bot.identity(), await bot.identity()
    assert first is second
    assert (first.slug, first.app_id) == ("memoryrail", shop.app.id)


def test_a_key_that_is_none_is_named_without_being_shown() -> None:
    with pytest.raises(SettingsError) as got:
        GitHubApp(app_id="1", private_key="not-a-key")
    assert "private key" in str(got.value)
    assert "not-a-key" not in str(got.value)
