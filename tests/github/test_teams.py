"""Whether an account is in a team: everything that is not clearly a yes is told apart."""

from datetime import timedelta

import pytest

from bot.core.command_settings import Membership
from bot.core.snapshot import Actor
from bot.github.errors import RateLimited
from bot.github.installation import GitHubApp
from bot.github.teams import membership
from tests.github.conftest import Shop

TEAM = "GET /orgs/octo/teams"


def account(shop: Shop, login: str) -> Actor:
    return Actor(id=shop.github.user(login).id, login=login)


@pytest.fixture
def crew(shop: Shop) -> None:
    shop.github.team("octo/crew", "ada", invited=["bob"])


@pytest.mark.usefixtures("crew")
@pytest.mark.parametrize(
    ("team", "login", "expected"),
    [
        ("crew", "ada", Membership.MEMBER),
        ("octo/crew", "ada", Membership.MEMBER),
        ("OCTO/Crew", "ada", Membership.MEMBER),
        ("crew", "bob", Membership.OUTSIDER),  # invited
        ("crew", "eve", Membership.OUTSIDER),
        ("no-such-team", "ada", Membership.OUTSIDER),
        ("other/crew", "ada", Membership.ELSEWHERE),
    ],
)
async def test_who_is_in_a_team(
    shop: Shop, bot: GitHubApp, team: str, login: str, expected: Membership
) -> None:
    installation = bot.installation(shop.installation.id)
    found = await membership(installation, team, account(shop, login), owner="Octo")
    assert found is expected
    asked = [one for one in shop.github.requests if one.operation.startswith("teams/")]
    assert len(asked) == (expected is not Membership.ELSEWHERE)


@pytest.mark.usefixtures("crew")
async def test_without_the_permission_nothing_is_asked_until_it_is_granted(
    shop: Shop, bot: GitHubApp
) -> None:
    installation, ada = bot.installation(shop.installation.id), account(shop, "ada")
    del shop.installation.permissions["members"]
    assert await membership(installation, "crew", ada, owner="octo") is Membership.NOT_PERMITTED
    shop.installation.permissions["members"] = "read"
    await bot.client.timing.sleep(timedelta(seconds=10).total_seconds())
    assert await membership(installation, "crew", ada, owner="octo") is Membership.MEMBER


@pytest.mark.usefixtures("crew")
@pytest.mark.parametrize("fault", [{"status": 502}, {"status": 500}, {"cut": True}])
async def test_no_answer_is_no_yes(
    shop: Shop, bot: GitHubApp, fault: dict[str, int | bool]
) -> None:
    shop.github.faults.add(TEAM, times=99, **fault)  # type: ignore[arg-type]  # plain keywords
    installation, ada = bot.installation(shop.installation.id), account(shop, "ada")
    assert await membership(installation, "crew", ada, owner="octo") is Membership.UNKNOWN


async def test_a_limit_is_for_the_job(shop: Shop, bot: GitHubApp) -> None:
    shop.github.faults.add(TEAM, status=429, headers={"retry-after": "60"})
    installation, ada = bot.installation(shop.installation.id), account(shop, "ada")
    with pytest.raises(RateLimited):
        await membership(installation, "crew", ada, owner="octo")
