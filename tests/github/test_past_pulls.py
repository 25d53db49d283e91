"""The closed pull requests of a repository."""

import pytest

from bot.core.errors import GitHubError
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.github.past_pulls import PastPull, past_pulls
from tests.github.conftest import Shop


async def test_what_the_closed_ones_said_and_touched(shop: Shop, access: RepositoryAccess) -> None:
    for number in range(3):
        shop.repository.branch(f"b{number}")
        shop.repository.commit(f"b{number}", files={f"src/f{number}.py": "1\n"})
        shop.repository.open_pull(head=f"b{number}", title=f"Change {number}", body="Why.")
    shop.repository.pulls[1].merge()
    shop.repository.pulls[2].close()
    assert await past_pulls(access) == (
        PastPull(number=2, words="Change 1\nWhy.", paths=("src/f1.py",)),
        PastPull(number=1, words="Change 0\nWhy.", paths=("src/f0.py",)),
    )
    assert len(await past_pulls(access, limit=1)) == 1


async def test_a_repository_that_is_gone(bot: GitHubApp, shop: Shop) -> None:
    with pytest.raises(GitHubError):
        await past_pulls(bot.installation(shop.installation.id).repository("octo", "none"))
