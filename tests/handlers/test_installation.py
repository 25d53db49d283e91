"""With which repositories the app begins."""

from typing import Any

import pytest

from bot.handlers import installation
from bot.handlers.installation import BEGINNING, MAX_REPOSITORIES, WELCOME
from bot.store.work import InstallationNews, RepositoryNews
from tests.handlers.examples import examples

SHOP: dict[str, object] = {"id": 7, "full_name": "octo/shop"}


def payload(action: str = "created", **more: object) -> dict[str, Any]:
    return {"action": action, "installation": {"id": 5}, "repositories": [SHOP], **more}


def news(repository_id: int = 7, name: str = "octo/shop") -> RepositoryNews:
    return RepositoryNews(
        repository_id=repository_id, installation_id=5, repository=name, work=WELCOME
    )


@pytest.mark.parametrize("action", sorted(BEGINNING))
def test_each_named_repository_is_made_ready(action: str) -> None:
    other = {"id": 8, "full_name": "octo/site"}
    meant = installation.meaning(payload(action, repositories=[SHOP, other]))
    assert meant.news == (news(), news(8, "octo/site"))
    assert (meant.repository_id, meant.ignored) == (None, None)


def test_the_delivery_of_one_repository_waits_for_its_job() -> None:
    assert installation.meaning(payload()).repository_id == 7


@pytest.mark.parametrize("absent", [None, {}, "all"])
def test_without_names_those_that_are_known_are_made_ready(absent: object) -> None:
    meant = installation.meaning(payload("unsuspend", repositories=absent))
    assert meant.news == (InstallationNews(installation_id=5, work=WELCOME),)


def test_there_is_an_end_to_what_one_delivery_begins() -> None:
    many = [{"id": number, "full_name": f"octo/r{number}"} for number in range(1, 1500)]
    meant = installation.meaning(payload(repositories=many))
    assert len(meant.news) == MAX_REPOSITORIES


@pytest.mark.parametrize("action", ["deleted", "suspend", "new_in_2030"])
def test_what_ends_is_recorded_and_nothing_more(action: str) -> None:
    meant = installation.meaning(payload(action))
    assert (meant.news, meant.ignored, meant.installation_id) == ((), "nothing begins", 5)


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (
            payload(repositories=[None, 7, {"id": 7}, {"full_name": "a/b"}]),
            "it names no repository",
        ),
        (payload(repositories=[]), "it names no repository"),
        (payload(installation=None), "it names no installation"),
    ],
)
def test_what_cannot_be_acted_on_is_ignored(sent: dict[str, Any], why: str) -> None:
    meant = installation.meaning(sent)
    assert (meant.news, meant.ignored) == ((), why)


@pytest.mark.parametrize("sent", examples("installation"))
def test_every_published_example_is_understood(sent: dict[str, Any]) -> None:
    meant = installation.meaning(sent)
    assert meant.installation_id == sent["installation"]["id"]
    assert bool(meant.news) == (sent["action"] in BEGINNING)
    if "repositories" in sent and meant.news:
        (one,) = meant.news
        assert isinstance(one, RepositoryNews)
        assert one.repository == sent["repositories"][0]["full_name"]
