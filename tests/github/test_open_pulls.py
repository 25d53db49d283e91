"""The open pull requests of a repository."""

import pytest

from bot.github.errors import NotFound
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.github.open_pulls import open_pulls
from tests.github.conftest import Shop


def open_some(shop: Shop, count: int, base: str = "main") -> list[str]:
    heads = []
    for number in range(count):
        branch = f"{base}-{number}"
        heads.append(shop.repository.branch(branch, start=base))
        shop.repository.open_pull(head=branch, base=base)
    return heads


async def test_the_open_ones_of_a_base(shop: Shop, access: RepositoryAccess) -> None:
    shop.repository.branch("v1")
    heads = open_some(shop, 3)
    open_some(shop, 1, base="v1")
    shop.repository.pulls[2].close()
    found = await open_pulls(access, base_ref="main")
    assert {number for number, _ in found.pulls} == {1, 3}
    assert {head for _, head in found.pulls} == {heads[0]}
    assert (found.total, found.repository) == (2, "octo/shop")
    assert (await open_pulls(access)).total == 3


async def test_pages_end_at_the_limit(shop: Shop, access: RepositoryAccess) -> None:
    open_some(shop, 130)
    assert len((await open_pulls(access)).pulls) == 130
    found = await open_pulls(access, limit=110)
    assert (len(found.pulls), found.total) == (110, 130)
    assert len([one for one in shop.github.requests if "OpenPulls" in one.operation]) == 4


async def test_a_repository_that_is_gone(shop: Shop, bot: GitHubApp) -> None:
    with pytest.raises(NotFound):
        await open_pulls(bot.installation(shop.installation.id).repository("octo", "none"))
