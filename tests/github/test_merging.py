"""Merging the base where it is in conflict: one commit, and nothing that anybody sees before it."""

import asyncio

import pytest

from bot.core.edit_plan import Deed, EditPlan, FileEdit, Merge
from bot.core.errors import GitHubError
from bot.core.snapshot import PullRequest
from bot.github.commit import CannotPush, Committed, NotOpen, StaleHead
from bot.github.errors import WriteUncertain
from bot.github.installation import RepositoryAccess
from bot.github.merging import merge
from bot.github.snapshot import load
from bot.sandbox import PullRequest as SandboxPull
from tests.github.conftest import Shop

LOG, GONE, ASIDE = "docs/log.md", "docs/gone.md", "memoryrail/reappend-1"
BOTH = b"old\ntheirs\r\n\xff\nmine\n"
BODY = "Asked for by alice.\n\nMemoryRail-Comment: 77"


@pytest.fixture
def pull(shop: Shop) -> SandboxPull:
    """Both branches have appended to the log; main has deleted the other file."""
    shop.repository.commit("main", files={LOG: "old\n", GONE: "old\n"})
    pull = shop.open({LOG: "old\nmine\n", GONE: "old\nmine\n", "src/b.py": "b\n"})
    shop.repository.commit("main", files={LOG: "old\ntheirs\n", "c.py": "c\n"}, delete=[GONE])
    return pull


async def planned(access: RepositoryAccess, pull: SandboxPull) -> tuple[EditPlan, PullRequest]:
    git, base = pull.repository.git, pull.base_tip

    def oid(sha: str, path: str) -> str | None:
        entry = git.entry(sha, path)
        return entry.oid if entry else None

    plan = EditPlan(
        edits=(
            FileEdit(path=GONE, data=None, expected_oid=oid(pull.head_sha, GONE)),
            FileEdit(path=LOG, data=BOTH, expected_oid=oid(pull.head_sha, LOG)),
        ),
        deeds=(Deed(verb="reappend", name="1 entry behind those of main"),),
        merge=Merge(sha=base, ref="main", theirs={LOG: oid(base, LOG), GONE: None}),
    )
    return plan, (await load(access, pull.number)).snapshot.pull


async def merged(access: RepositoryAccess, plan: EditPlan, at: PullRequest) -> Committed:
    assert plan.merge is not None
    return await merge(access, plan, plan.merge, at, body=BODY)


def branches(pull: SandboxPull) -> set[str]:
    return set(pull.repository.git.branches())


async def test_a_merge_is_one_signed_commit_of_head_and_base(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(access, pull)
    base, git = pull.base_tip, shop.repository.git
    before, told = len(shop.github.requests), len(shop.github.deliveries)
    made = await merged(access, plan, at)
    # Look; two trees, two commits, one content; the merge; the branch.
    assert len(shop.github.requests) - before == 8
    assert made == Committed(
        sha=pull.head_sha,
        url=f"{shop.github.url}/octo/shop/commit/{pull.head_sha}",
        is_verified=True,
    )
    commit = git.commit_at(made.sha)
    assert commit is not None
    assert commit.parents == (at.head_sha, base)
    assert commit.message == f"{plan.title}\n\n{BODY}"
    found = {one.path: one for one in git.walk(made.sha)}
    assert {LOG, "src/b.py", "c.py"} <= found.keys()
    assert GONE not in found
    assert git.read(found[LOG].oid).data == BOTH  # type: ignore[union-attr]  # it is there
    assert branches(pull) == {"main", "feature"}
    (first, second, _, last) = [
        one.payload for one in shop.github.deliveries[told:] if one.event == "push"
    ]
    assert [one["ref"] for one in (first, second)] == [f"refs/heads/{ASIDE}"] * 2
    assert all("[skip ci]" in one["head_commit"]["message"] for one in (first, second))
    assert last["ref"] == "refs/heads/feature"
    assert [one.sha for one in (await load(access, 1)).snapshot.commits if one.is_ours] == [
        made.sha
    ]


async def test_other_files_in_conflict_change_nothing(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    shop.repository.commit("main", files={"src/b.py": "theirs\n"})
    plan, at = await planned(access, pull)
    with pytest.raises(CannotPush, match="Other files are in conflict"):
        await merged(access, plan, at)
    assert pull.head_sha == at.head_sha
    assert branches(pull) == {"main", "feature"}


async def test_after_any_step_that_nobody_heard_of_another_try_does_it_once(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(access, pull)
    for number, step in enumerate(
        ["git/trees", "git/commits", "MergeAside", "git/blobs", "git/trees", "git/commits"]
    ):
        for landed in (False, True):
            if number > 3:  # the second of its kind
                shop.github.faults.add(f"POST .*{step}", hang=True).release()
            shop.github.faults.add(f"POST .*{step}", status=502, after_effect=landed)
            with pytest.raises(WriteUncertain):
                await merged(access, plan, at)
            assert pull.head_sha == at.head_sha
    made = await merged(access, plan, at)
    assert pull.head_sha == made.sha
    assert len(pull.commits) == 2
    assert branches(pull) == {"main", "feature"}


@pytest.mark.parametrize("landed", [False, True])
async def test_whether_the_branch_has_moved_is_looked_for(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull, landed: bool
) -> None:
    plan, at = await planned(access, pull)
    shop.github.faults.add("POST .*MergeBase", status=502, after_effect=landed)
    if landed:
        assert (await merged(access, plan, at)).sha == pull.head_sha
    else:
        with pytest.raises(GitHubError):
            await merged(access, plan, at)
        assert pull.head_sha == at.head_sha


async def test_a_step_that_github_refuses_is_told_from_one_that_is_tried_anew(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(access, pull)
    rule = "Changes must be made through a pull request."
    made = {"clientMutationId": None}
    for failing, message, error in (
        ("make", rule, CannotPush),
        ("merge", rule, CannotPush),
        ("merge", 'Failed to merge: "Base does not exist"', GitHubError),  # not everywhere yet
        ("drop", rule, CannotPush),
    ):
        told = {"type": "UNPROCESSABLE", "path": [failing], "message": message}
        data = {"make": made, "merge": None, "drop": made} | {failing: None}
        body = {"data": data, "errors": [told]}
        shop.github.faults.add("graphql MergeAside", status=200, body=body)
        with pytest.raises(error):
            await merged(access, plan, at)
    assert pull.head_sha == at.head_sha


async def test_a_branch_that_a_crash_left_goes_and_anybody_elses_stays(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(access, pull)
    left = shop.repository.commit(ASIDE, files={"x": "of ours"})
    with pytest.raises(CannotPush, match=f"There is a branch {ASIDE} that is not mine"):
        await merged(access, plan, at)
    assert shop.repository.git.branch(ASIDE) == left
    shop.repository.delete_branch(ASIDE)
    first = await merged(access, plan, at)
    shop.repository.branch(ASIDE, start=first.sha)  # of ours
    pull.force_push(to=at.head_sha)
    second = await merged(access, plan, at)
    assert pull.head_sha == second.sha
    assert branches(pull) == {"main", "feature"}


async def test_a_head_that_moves_is_planned_on_anew(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(access, pull)
    old = pull.head_sha
    newer = pull.push(files={"src/b.py": "more\n"})
    with pytest.raises(StaleHead):
        await merged(access, plan, at)
    plan, at = await planned(access, pull)
    held = shop.github.faults.add("graphql MergeBase", hang=True)
    merging = asyncio.ensure_future(merged(access, plan, at))
    assert await asyncio.to_thread(held.waiting.wait, 20)
    pull.force_push(to=old)  # from which the merge is forward, too, but would bring back the newer
    held.release()
    with pytest.raises(StaleHead):
        await merging
    assert (pull.head_sha, at.head_sha) == (old, newer)


async def test_where_it_cannot_push_it_says_so_and_leaves_nothing(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(access, pull)
    protected = shop.repository.protected
    for branch in ("feature", ASIDE):
        protected.add(branch)
        with pytest.raises(CannotPush, match="This branch is protected"):
            await merged(access, plan, at)
        protected.clear()
    shop.repository.archived = True
    with pytest.raises(CannotPush, match="archived"):
        await merged(access, plan, at)
    shop.repository.archived = False
    pull.close(user="alice")
    with pytest.raises(NotOpen):
        await merged(access, plan, at)
    assert pull.head_sha == at.head_sha
    assert branches(pull) == {"main", "feature"}


async def test_it_takes_the_permission_to_write(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    shop.installation.permissions["contents"] = "read"
    plan, at = await planned(access, pull)
    with pytest.raises(CannotPush, match="Contents: write"):
        await merged(access, plan, at)
