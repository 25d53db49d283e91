"""What a repository is called now."""

from typing import Any

import pytest

from bot.handlers import repository
from bot.store.work import RepositoryNews, Work, WorkKind
from tests.handlers.examples import examples


def payload(action: str, **more: object) -> dict[str, Any]:
    return {
        "action": action,
        "installation": {"id": 5},
        "repository": {"id": 7, "full_name": "octo/store"},
        **more,
    }


@pytest.mark.parametrize("action", ["renamed", "transferred"])
def test_a_new_name_is_heard(action: str) -> None:
    assert repository.meaning(payload(action)).news == (
        RepositoryNews(repository_id=7, installation_id=5, repository="octo/store"),
    )


def test_back_from_the_archive_its_pull_requests_are_brought_up_to_date() -> None:
    (news,) = repository.meaning(payload("unarchived")).news
    assert isinstance(news, RepositoryNews)
    assert news.work == (Work(kind=WorkKind.WAKE),)


def test_another_default_branch_is_made_ready_and_judged_by() -> None:
    changes = {"default_branch": {"from": "master"}}
    (news,) = repository.meaning(payload("edited", changes=changes)).news
    assert isinstance(news, RepositoryNews)
    assert {work.kind for work in news.work} == {WorkKind.READY, WorkKind.RULES}


@pytest.mark.parametrize("action", ["created", "deleted", "archived", "edited", "publicized"])
def test_anything_else_is_recorded(action: str) -> None:
    meant = repository.meaning(payload(action))
    assert (meant.news, meant.ignored) == ((), "nothing that is judged has changed")
    assert meant.repository_id == 7


def test_a_name_that_is_none_is_not_heard() -> None:
    meant = repository.meaning(payload("renamed", repository={"id": 7, "full_name": "x"}))
    assert (meant.news, meant.ignored) == ((), "it does not say which repository")


@pytest.mark.parametrize("sent", examples("repository"))
def test_every_published_example_is_understood(sent: dict[str, Any]) -> None:
    meant = repository.meaning(sent)
    moved = sent["action"] in {"renamed", "transferred"} and "installation" in sent
    assert bool(meant.news) == moved
    assert meant.repository_id == sent["repository"]["id"]
