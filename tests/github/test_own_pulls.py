"""A commit after the merge: where it goes, and that each part of it is made once."""

from dataclasses import replace

import pytest

from bot.core.edit_plan import Deed, EditPlan, FileEdit
from bot.core.snapshot import PullRequest
from bot.github.commit import CannotPush, StaleHead
from bot.github.installation import RepositoryAccess
from bot.github.own_pulls import Landed, Landing, OwnPull, land, landed
from bot.github.snapshot import load
from bot.sandbox.state.pulls import PullRequest as SandboxPull
from tests.github.conftest import Shop

BODY = "MemoryRail-Comment: 77"
BRANCH = "memoryrail/pr-1-approve-0b989ba4"
LANDING = Landing(
    base_ref="main",
    branch=BRANCH,
    is_it=lambda message: message.endswith(BODY),
    description="Somebody asked for this.",
)
PLAN = EditPlan(
    edits=(FileEdit(path="CLAUDE.md", data=b"# New\n", expected_oid=None),),
    deeds=(Deed(verb="sync", name="CLAUDE.md"),),
)


async def merged(shop: Shop, access: RepositoryAccess) -> PullRequest:
    """A merged pull request, with the tip of its base branch as its head."""
    pull = shop.open({"src/b.py": "b\n"})
    pull.merge(user="alice")
    read = (await load(access, pull.number)).snapshot.pull
    return replace(read, head_ref="main", head_sha=read.base_sha)


async def landing(access: RepositoryAccess, at: PullRequest, *, on_base: bool = False) -> Landed:
    return await land(access, PLAN, at, LANDING, body=BODY, on_base=on_base)


@pytest.fixture
async def at(shop: Shop, access: RepositoryAccess) -> PullRequest:
    return await merged(shop, access)


def the_pull(shop: Shop, made: Landed) -> SandboxPull:
    """The one pull request that was opened, with the one commit."""
    (number,) = set(shop.repository.pulls) - {1}
    pull = shop.repository.pulls[number]
    assert made.pull is not None
    assert (made.pull.number, made.pull.url.endswith(f"/{number}")) == (number, True)
    assert [one.oid for one in pull.commits] == [made.sha]
    return pull


async def test_it_goes_to_the_base_branch_where_that_may_be(
    shop: Shop, access: RepositoryAccess, at: PullRequest
) -> None:
    made = await landing(access, at, on_base=True)
    assert made == Landed(sha=shop.repository.git.branch("main") or "")
    assert await landed(access, LANDING) == made
    assert set(shop.repository.pulls) == {1}


@pytest.mark.parametrize("on_base", [False, True])
async def test_else_a_pull_request_brings_it(
    shop: Shop, access: RepositoryAccess, at: PullRequest, *, on_base: bool
) -> None:
    shop.repository.protected.add("main")
    made = await landing(access, at, on_base=on_base)
    pull = the_pull(shop, made)
    assert (pull.head_ref, pull.title) == (BRANCH, "memoryrail: sync CLAUDE.md")
    assert pull.body == "Somebody asked for this."
    assert shop.repository.git.branch("main") == at.head_sha
    assert await landed(access, LANDING) == made


@pytest.mark.parametrize("stops", ["MakeBranch", "Commit", "OpenPull"])
@pytest.mark.parametrize("has_effect", [False, True])
async def test_each_part_is_made_once_whatever_gets_lost(
    shop: Shop, access: RepositoryAccess, at: PullRequest, stops: str, *, has_effect: bool
) -> None:
    shop.github.faults.add(f"graphql {stops}", status=502, after_effect=has_effect)
    made = await landing(access, at)
    the_pull(shop, made)
    assert await landing(access, at) == made  # told again
    the_pull(shop, made)


async def test_a_pull_request_that_was_not_opened_yet_is(
    shop: Shop, access: RepositoryAccess, at: PullRequest
) -> None:
    assert await landed(access, LANDING) is None
    made = await landing(access, at)
    assert made.pull is not None
    del shop.repository.pulls[2]  # as if the process had stopped before
    found = await landed(access, LANDING)
    assert found == replace(made, pull=OwnPull(number=3, url=made.pull.url[:-1] + "3"))


async def test_a_branch_that_others_pushed_to_is_never_moved(
    shop: Shop, access: RepositoryAccess, at: PullRequest
) -> None:
    shop.repository.branch(BRANCH)
    theirs = shop.repository.commit(BRANCH, files={"mine.txt": "x\n"}, message=BODY, login="alice")
    assert await landed(access, LANDING) is None  # whatever its message says, it is not ours
    with pytest.raises((CannotPush, StaleHead)):
        await landing(access, at)
    assert shop.repository.git.branch(BRANCH) == theirs


async def test_a_branch_of_an_earlier_try_is_brought_forward(
    shop: Shop, access: RepositoryAccess, at: PullRequest
) -> None:
    shop.repository.branch(BRANCH)
    tip = shop.repository.commit("main", files={"later.txt": "x\n"}, login="alice")
    made = await landing(access, replace(at, head_sha=tip, base_sha=tip))
    assert [one.oid for one in the_pull(shop, made).commits] == [made.sha]


@pytest.mark.parametrize("permission", ["contents", "pull_requests"])
async def test_what_github_forbids_is_said(
    shop: Shop, access: RepositoryAccess, permission: str
) -> None:
    shop.installation.permissions[permission] = "read"
    at = await merged(shop, access)
    with pytest.raises(CannotPush):
        await landing(access, at)
    assert set(shop.repository.pulls) == {1}
    shop.github.violations.clear()  # only of contents it is known before
