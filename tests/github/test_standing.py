"""What stands on commits that are no pull request's head."""

import pytest

from bot.core.check_run import CheckRun
from bot.core.report import Conclusion
from bot.github.errors import NotFound, Renamed
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.github.publish import Publication, publish
from bot.github.standing import read_commit, read_tip
from tests.github.conftest import Shop

RUN = CheckRun(name="memoryrail/sync", conclusion=Conclusion.SUCCESS, title="Good", summary="x")
WANTED = Publication(check_runs=(RUN,), comment=None)


async def test_runs_are_put_on_the_default_branch_once(
    shop: Shop, access: RepositoryAccess
) -> None:
    tip = await read_tip(access)
    assert tip is not None
    assert (tip.number, tip.base_ref, tip.checks) == (0, "main", ())
    assert tip.head_sha == shop.repository.git.branch("main")
    assert (await publish(access, WANTED, tip)).check_runs == ("memoryrail/sync",)
    again = await read_tip(access)
    assert again is not None
    assert (await publish(access, WANTED, again)).check_runs == ()
    (run,) = shop.repository.check_runs.values()
    assert run.external_id.startswith(f"{shop.repository.id}:0:main:")


async def test_a_write_that_may_have_landed_is_looked_for(
    shop: Shop, access: RepositoryAccess
) -> None:
    sha = shop.repository.git.branch("main")
    assert sha is not None
    published = await read_commit(access, sha, base_ref="main")
    shop.github.faults.add("graphql Publish", status=502, after_effect=True)
    await publish(access, WANTED, published)
    assert len(shop.repository.check_runs) == 1


async def test_a_commit_that_is_gone(access: RepositoryAccess) -> None:
    with pytest.raises(NotFound, match="commit ffffffffffff"):
        await read_commit(access, "f" * 40, base_ref="main")


async def test_a_repository_without_commits(shop: Shop, bot: GitHubApp) -> None:
    shop.app.install(shop.github.create_repository("octo/empty"))
    empty = bot.installation(shop.installation.id).repository("octo", "empty")
    assert await read_tip(empty) is None


async def test_another_repository_of_the_same_name(shop: Shop, bot: GitHubApp) -> None:
    meant = bot.installation(shop.installation.id).repository("octo", "shop", 1)
    with pytest.raises(Renamed):
        await read_tip(meant)


async def test_the_name_of_an_id(shop: Shop, bot: GitHubApp) -> None:
    installation = bot.installation(shop.installation.id)
    shop.repository.rename("store")
    assert await installation.name_of(shop.repository.id) == "octo/store"
    with pytest.raises(NotFound):
        await installation.name_of(999_999)
