"""Committing a plan: once, on the head it was made on, and only where we may."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from bot.core.edit_plan import Action, EditPlan, FileEdit
from bot.core.errors import GitHubError
from bot.core.model import Memory, MemoryType, Status
from bot.core.snapshot import PullRequest
from bot.github import commit as module
from bot.github.commit import CannotPush, Committed, StaleHead, commit
from bot.github.errors import RateLimited
from bot.github.installation import Answer, GraphQLProblem, RepositoryAccess
from bot.github.snapshot import load
from bot.sandbox import File
from bot.sandbox import PullRequest as SandboxPull
from tests.github.conftest import FakeTime, Shop

PROPOSAL = ".memoryrail/memories/20260102-new.md"
RULES = "docs/rules.md"
BODY = "Asked for by alice.\n\nMemoryRail-Comment: 77"
BINARY = b"\xef\xbb\xbf---\r\n\xff\x00---\r\n"
ACTION = Action(
    verb="approve",
    memory=Memory(
        path=PROPOSAL,
        id="20260102-new",
        type=MemoryType.CONSTRAINT,
        title="Times are UTC",
        status=Status.PROPOSED,
        created="2026-01-02T03:04:05.000Z",
        updated="2026-01-02T03:04:05.000Z",
    ),
)


@pytest.fixture
def pull(shop: Shop) -> SandboxPull:
    """With a proposal to change and a file to delete."""
    return shop.open({PROPOSAL: "status: proposed\n", RULES: "old\n", "src/b.py": "b\n"})


async def planned(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> tuple[EditPlan, PullRequest]:
    """A plan on the present head: one file changed, one deleted, one made."""
    git, head = shop.repository.git, pull.head_sha
    entries = [git.entry(head, path) for path in (PROPOSAL, RULES)]
    oids = [entry.oid if entry else None for entry in entries]
    plan = EditPlan(
        edits=(
            FileEdit(path=PROPOSAL, data=BINARY, expected_oid=oids[0]),
            FileEdit(path="CLAUDE.md", data=b"# New\n", expected_oid=None),
            FileEdit(path=RULES, data=None, expected_oid=oids[1]),
        ),
        actions=(ACTION,),
    )
    return plan, (await load(access, pull.number)).snapshot.pull


async def test_rules_that_github_does_not_show_stop_no_commit(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, at = await planned(shop, access, pull)
    shop.repository.dismissing.add("main")
    query = RepositoryAccess.query
    forbidden = GraphQLProblem(type="FORBIDDEN", path=("repository", "pullRequest", "baseRef"))

    async def asked(self: RepositoryAccess, text: str, variables: Mapping[str, object]) -> Answer:
        return replace(await query(self, text, variables), problems=(forbidden,))

    monkeypatch.setattr(RepositoryAccess, "query", asked)
    assert (await commit(access, plan, at, body=BODY)).dismisses_reviews


async def test_a_plan_becomes_one_signed_commit(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    before = len(shop.github.requests)
    made = await commit(access, plan, at, body=BODY)
    assert len(shop.github.requests) - before == 2
    assert made == Committed(
        sha=pull.head_sha,
        url=f"{shop.github.url}/octo/shop/commit/{pull.head_sha}",
        is_verified=True,
    )
    git = shop.repository.git
    written = git.commit_at(made.sha)
    assert written is not None
    assert written.parents == (at.head_sha,)
    assert written.message.strip() == (
        f'memoryrail: approve {ACTION.memory.ref} "Times are UTC"\n\n{BODY}'
    )
    found = git.read(f"{made.sha}:{PROPOSAL}")
    assert found is not None
    assert found.data == BINARY
    changed = {(change.status, change.path) for change in git.changes_of(written)}
    assert changed == {("modified", PROPOSAL), ("added", "CLAUDE.md"), ("removed", RULES)}


async def test_what_one_step_makes_and_the_next_deletes_is_left_out(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    nothing = FileEdit(path="AGENTS.override.md", data=None, expected_oid=None)
    made = await commit(access, replace(plan, edits=(nothing, *plan.edits)), at)
    assert made.sha == pull.head_sha
    with pytest.raises(ValueError, match="without edits"):
        await commit(access, EditPlan(edits=(nothing,)), at)


@pytest.mark.parametrize("landed", [True, False])
async def test_after_a_502_it_looks_before_it_commits_again(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull, clock: FakeTime, landed: bool
) -> None:
    plan, at = await planned(shop, access, pull)
    shop.github.faults.add("graphql Commit", status=502, after_effect=landed)
    made = await commit(access, plan, at, body=BODY)
    assert made.sha == pull.head_sha
    assert made.is_verified
    assert [each.parents for each in pull.commits][-1] == (at.head_sha,)
    assert clock.slept[-1] == 2.0 if landed else 2.0 in clock.slept


async def test_a_commit_that_landed_is_found_below_what_was_pushed_upon_it(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    """As after a crash between the commit and its answer."""
    plan, at = await planned(shop, access, pull)
    made = await commit(access, plan, at, body=BODY)
    pull.push(files={"src/b.py": "c\n"})
    head = pull.head_sha
    assert await commit(access, plan, at, body=BODY) == made
    assert pull.head_sha == head


async def test_the_same_words_by_somebody_else_are_not_our_commit(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    bot = shop.app.bot
    shop.repository.commit(
        "feature",
        files={"evil.md": "x\n"},
        message=f"{plan.title}\n\n{BODY}",
        author=(bot.login, bot.email),
    )
    with pytest.raises(StaleHead):
        await commit(access, plan, at, body=BODY)


async def test_another_comment_for_the_same_makes_no_second_commit_from_an_old_plan(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    made = await commit(access, plan, at, body=BODY)
    with pytest.raises(StaleHead) as got:
        await commit(access, plan, at, body=BODY.replace("77", "78"))
    assert (got.value.reviewed, got.value.head) == (at.head_sha, made.sha)


async def test_a_moved_branch_asks_for_a_new_plan(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    pull.push(files={"src/b.py": "c\n"})
    head = pull.head_sha
    with pytest.raises(StaleHead) as got:
        await commit(access, plan, at)
    assert got.value.head == head == pull.head_sha


async def test_a_commit_that_always_fails_ends_in_an_error(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    shop.github.faults.add("graphql Commit", status=502, times=99)
    with pytest.raises(GitHubError, match="does not take"):
        await commit(access, plan, at)
    assert pull.head_sha == at.head_sha


async def test_null_without_an_error_is_asked_for_again(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    shop.github.faults.add("graphql Commit", status=200, body={"data": {"commit": None}})
    made = await commit(access, plan, at)
    assert made.sha == pull.head_sha
    assert len(pull.commits) == 2


PARTIAL = [{"type": "SERVICE_UNAVAILABLE", "message": "…", "path": ["repository", "pullRequest"]}]
BROKEN_LOOKS: dict[str, tuple[dict[str, object], str]] = {
    "in part": ({"data": {"repository": None}, "errors": PARTIAL}, "did not give all"),
    "without the pull request": ({"data": {"repository": None}}, "was not found"),
}


@pytest.mark.parametrize(("body", "words"), BROKEN_LOOKS.values(), ids=BROKEN_LOOKS)
async def test_what_cannot_be_seen_is_not_written_to(
    shop: Shop,
    access: RepositoryAccess,
    pull: SandboxPull,
    body: dict[str, object],
    words: str,
) -> None:
    plan, at = await planned(shop, access, pull)
    shop.github.faults.add("graphql Branch", times=3, status=200, body=body)  # for every look
    with pytest.raises(GitHubError, match=words):
        await commit(access, plan, at)
    with pytest.raises(GitHubError, match="did not give commit"):
        await commit(access, plan, replace(at, head_sha="f" * 40))
    assert pull.head_sha == at.head_sha


async def test_a_limit_is_for_the_worker(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    shop.github.faults.add("graphql Commit", status=403)
    with pytest.raises(RateLimited):
        await commit(access, plan, at)


def _protect(shop: Shop, _: SandboxPull) -> None:
    shop.repository.protected.add("feature")


def _archive(shop: Shop, _: SandboxPull) -> None:
    shop.repository.archived = True


def _make_default(shop: Shop, _: SandboxPull) -> None:
    shop.repository.default_branch = "feature"


def _close(_: Shop, pull: SandboxPull) -> None:
    pull.close()


def _delete_branch(shop: Shop, _: SandboxPull) -> None:
    shop.repository.delete_branch("feature")


def _forbid(shop: Shop, _: SandboxPull) -> None:
    refused = {
        "data": {"commit": None},
        "errors": [{"type": "FORBIDDEN", "path": ["commit"], "message": "No"}],
    }
    shop.github.faults.add("graphql Commit", status=200, body=refused)


def _find_wrong(shop: Shop, _: SandboxPull) -> None:
    refused = {
        "data": {"commit": None},
        "errors": [{"type": "UNPROCESSABLE", "path": ["commit"], "message": "A path is not there"}],
    }
    shop.github.faults.add("graphql Commit", status=200, body=refused)


REFUSALS: dict[str, tuple[Callable[[Shop, SandboxPull], None], str]] = {
    "protected branch": (_protect, "protected"),
    "something else in it": (_find_wrong, "GitHub does not take this commit"),
    "archived repository": (_archive, "archived"),
    "default branch": (_make_default, "default branch"),
    "closed": (_close, "not open"),
    "branch deleted": (_delete_branch, "not open|gone"),
    "forbidden for another reason": (_forbid, "does not let"),
}


@pytest.mark.parametrize(("change", "reason"), REFUSALS.values(), ids=REFUSALS)
async def test_where_it_cannot_push_it_says_why(
    shop: Shop,
    access: RepositoryAccess,
    pull: SandboxPull,
    change: Callable[[Shop, SandboxPull], None],
    reason: str,
) -> None:
    plan, at = await planned(shop, access, pull)
    change(shop, pull)
    with pytest.raises(CannotPush, match=reason) as got:
        await commit(access, plan, at)
    assert got.value.reason.endswith(".")
    assert pull.head_sha == at.head_sha


async def test_without_the_permission_nothing_is_sent(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    shop.installation.permissions["contents"] = "read"
    plan, at = await planned(shop, access, pull)
    before = len(shop.github.requests)
    with pytest.raises(CannotPush, match="Contents: write"):
        await commit(access, plan, at)
    assert len(shop.github.requests) == before


async def test_a_branch_that_a_fork_has_too_is_not_touched(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    """The fork's branch bears the name of one of ours, and its head lies in our objects too."""
    plan, at = await planned(shop, access, pull)
    fork = shop.repository.fork("mallory")
    theirs = shop.repository.open_pull(head=(fork, "feature"), user="mallory")
    with pytest.raises(CannotPush, match="another repository"):
        await commit(access, plan, replace(at, number=theirs.number, is_fork=False))
    fork.delete()
    with pytest.raises(CannotPush, match="another repository"):
        await commit(access, plan, replace(at, number=theirs.number, is_fork=False))
    assert pull.head_sha == at.head_sha


@pytest.mark.parametrize("mode", ["100755", "120000"])
async def test_a_file_that_would_lose_its_mode_is_left_alone(
    shop: Shop, access: RepositoryAccess, mode: str
) -> None:
    pull = shop.open({PROPOSAL: File(data=b"README.md", mode=mode), RULES: "old\n"})
    plan, at = await planned(shop, access, pull)
    with pytest.raises(CannotPush, match="symbolic link or executable"):
        await commit(access, plan, at)
    deletion = replace(plan.edits[0], data=None)
    made = await commit(access, replace(plan, edits=(deletion,)), at)
    assert made.sha == pull.head_sha


async def test_a_plan_for_other_contents_is_a_fault_of_ours(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull
) -> None:
    plan, at = await planned(shop, access, pull)
    edits = (replace(plan.edits[0], expected_oid="0" * 40),)
    with pytest.raises(GitHubError, match="not made on the head"):
        await commit(access, replace(plan, edits=edits), at)
    assert pull.head_sha == at.head_sha


async def test_too_much_for_one_commit_is_refused(
    shop: Shop, access: RepositoryAccess, pull: SandboxPull, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, at = await planned(shop, access, pull)
    edits = tuple(FileEdit(path=f"{n}.md", data=b"", expected_oid=None) for n in range(101))
    with pytest.raises(CannotPush, match="more than 100 files"):
        await commit(access, replace(plan, edits=edits), at)
    monkeypatch.setattr(module, "MAX_BYTES", 4)
    with pytest.raises(CannotPush, match="at once"):
        await commit(access, plan, at)
