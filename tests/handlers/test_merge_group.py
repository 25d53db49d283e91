"""Which groups of a merge queue are judged."""

from typing import Any

import pytest

from bot.handlers import merge_group
from bot.store.work import RepositoryNews, Work, WorkKind
from tests.handlers.examples import examples

HEAD, BASE = "a" * 40, "b" * 40
GROUP: dict[str, object] = {
    "head_sha": HEAD,
    "head_ref": "refs/heads/gh-readonly-queue/main/pr-3-" + BASE,
    "base_sha": BASE,
    "base_ref": "refs/heads/main",
}
PAYLOAD: dict[str, Any] = {
    "action": "checks_requested",
    "installation": {"id": 5},
    "repository": {"id": 7, "full_name": "octo/shop"},
    "merge_group": GROUP,
}


def test_a_group_waits_for_its_verdicts() -> None:
    meant = merge_group.meaning(PAYLOAD)
    work = Work(
        kind=WorkKind.GROUP,
        base_ref="main",
        head_sha=HEAD,
        head_ref=f"gh-readonly-queue/main/pr-3-{BASE}",
        base_sha=BASE,
    )
    news = RepositoryNews(repository_id=7, installation_id=5, repository="octo/shop", work=(work,))
    assert (meant.news, meant.ignored) == ((news,), None)


@pytest.mark.parametrize("payload", examples("merge_group"))
def test_every_published_example_is_understood(payload: dict[str, Any]) -> None:
    (news,) = merge_group.meaning(payload).news
    assert isinstance(news, RepositoryNews)
    (work,) = news.work
    assert work.head_sha == payload["merge_group"]["head_sha"]
    assert work.base_sha == payload["merge_group"]["base_sha"]
    assert work.base_ref == "main"
    assert work.head_ref.startswith("gh-readonly-queue/main/pr-104-")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"action": "destroyed"}, "a group that is gone needs no verdict"),
        ({"merge_group": None}, "it does not say which commits"),
        ({"merge_group": GROUP | {"head_sha": "main"}}, "it does not say which commits"),
        ({"merge_group": GROUP | {"base_ref": "refs/tags/v1"}}, "it does not say which commits"),
        ({"merge_group": GROUP | {"base_ref": "refs/heads/\0"}}, "it does not say which commits"),
        ({"repository": None}, "it does not say which commits"),
        ({"installation": None}, "it does not say which commits"),
    ],
)
def test_anything_else_is_left_alone(change: dict[str, object], why: str) -> None:
    meant = merge_group.meaning(PAYLOAD | change)
    assert (meant.news, meant.ignored) == ((), why)


def test_a_group_without_a_branch_is_judged_too() -> None:
    (news,) = merge_group.meaning(PAYLOAD | {"merge_group": GROUP | {"head_ref": None}}).news
    assert isinstance(news, RepositoryNews)
    assert news.work[0].head_ref == ""
