"""What a merge queue's group holds."""

from typing import Any

import pytest

from bot.github.errors import NotFound
from bot.github.group import Group, load_group, numbers
from bot.github.installation import RepositoryAccess
from tests.github.conftest import FakeTime, Shop

BASE = "b" * 40
QUEUE = f"gh-readonly-queue/main/pr-12-{BASE}"


def group(head_ref: str = "", head_sha: str = "3") -> Group:
    return Group(base_ref="main", base_sha=BASE, head_ref=head_ref, head_sha=head_sha)


def commit(sha: str, message: str, *parents: str) -> dict[str, Any]:
    return {
        "sha": sha,
        "commit": {"message": message},
        "parents": [{"sha": parent} for parent in parents],
    }


@pytest.mark.parametrize(
    ("head_ref", "commits", "expected"),
    [
        (QUEUE, [], (12,)),
        ("gh-readonly-queue/a/b/pr-7-" + BASE, [], (7,)),
        ("feature", [], ()),
        ("x/gh-readonly-queue/main/pr-1-" + BASE, [], ()),
        (QUEUE, [commit("2", "One (#4)", BASE), commit("3", "Two (#12)\n\nx", "2")], (4, 12)),
        (QUEUE, [commit("3", "Merge pull request #5 from a/b\n\nx", BASE, "2")], (5, 12)),
        (QUEUE, [commit("3", "Title (#99) (#12)", BASE)], (12,)),
        (QUEUE, [commit("3", "Fixes (#99) at last", BASE)], (12,)),
        (QUEUE, [commit("3", "Two\n\nas in (#99)", BASE)], (12,)),
        (QUEUE, [commit("2", "x (#99)", BASE), commit("3", "Merge", BASE, "2")], (12,)),
        ("", [commit("3", "x (#1)", "2"), commit("2", "x (#2)", "3")], (1, 2)),
        ("", [commit("3", "x (#0)", "2"), commit("2", "x (#٣)", "1")], ()),
    ],
    ids=[
        "by the branch",
        "a base with slashes",
        "another branch",
        "a branch that ends so",
        "squashed",
        "merged",
        "a title that names another",
        "not at the end",
        "not in the subject",
        "behind a merge",
        "in a circle",
        "no number",
    ],
)
def test_the_pull_requests_that_are_named(
    head_ref: str, commits: list[dict[str, Any]], expected: tuple[int, ...]
) -> None:
    assert numbers(group(head_ref), commits) == expected


def queued(shop: Shop, head_sha: str, number: int) -> Group:
    base = shop.repository.git.branch("main")
    assert base is not None
    ref = f"gh-readonly-queue/main/pr-{number}-{base}"
    return Group(base_ref="main", base_sha=base, head_ref=ref, head_sha=head_sha)


async def test_a_group_is_read_like_a_pull_request(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "three = 3\n"}, title="Count on", body="Because.")
    sha = pull.enqueue()
    loaded = await load_group(access, queued(shop, sha, pull.number))
    snapshot = loaded.snapshot
    assert loaded.numbers == (1,)
    assert (snapshot.pull.number, snapshot.pull.title) == (0, "Count on")
    assert snapshot.pull.author is not None
    assert snapshot.pull.author.login == "alice"
    assert [file.path for file in snapshot.files] == ["src/b.py"]
    assert [len(commit.added) for commit in snapshot.commits] == [1, 0]
    assert (snapshot.base.sha, snapshot.head.sha) == (pull.base_tip, sha)
    assert len(snapshot.base.stores[0].memories) == len(snapshot.head.stores[0].memories) == 2
    assert (loaded.published.head_sha, loaded.published.pull_node) == (sha, "")
    assert snapshot.unread == ()


async def test_only_what_is_open_on_the_base_is_in_it(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "three = 3\n"}, body="[per CON-0000]")
    sha = pull.enqueue()
    pull.close()
    loaded = await load_group(access, queued(shop, sha, pull.number))
    assert (loaded.numbers, loaded.snapshot.pull.body) == ((), "")
    pull.reopen()
    other = Group(
        base_ref="v1",
        base_sha=pull.base_tip,
        head_ref=f"gh-readonly-queue/v1/pr-1-{BASE}",
        head_sha=sha,
    )
    assert (await load_group(access, other)).numbers == ()


async def test_a_group_costs_few_requests(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "three = 3\n"})
    sha = pull.enqueue()
    await load_group(access, queued(shop, sha, pull.number))
    with shop.github.measure() as measured:
        await load_group(access, queued(shop, sha, pull.number))
    assert (len(measured.requests), measured.depth) == (5, 2)


async def test_commits_that_are_not_there_are_waited_for(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    pull = shop.open({"src/b.py": "three = 3\n"})
    with pytest.raises(NotFound):
        await load_group(access, queued(shop, "f" * 40, pull.number))
    assert clock.slept == [1, 2]
