"""Which repositories an owner let the app into."""

from typing import Any

import pytest

from bot.handlers import installation_repositories
from bot.handlers.installation import WELCOME
from bot.store.work import RepositoryNews
from tests.handlers.examples import examples

PAYLOAD: dict[str, Any] = {
    "action": "added",
    "installation": {"id": 5},
    "repositories_added": [{"id": 7, "full_name": "octo/shop"}],
    "repositories_removed": [],
}


def test_what_is_added_is_made_ready() -> None:
    meant = installation_repositories.meaning(PAYLOAD)
    assert meant.news == (
        RepositoryNews(repository_id=7, installation_id=5, repository="octo/shop", work=WELCOME),
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"action": "removed"}, "nothing begins"),
        ({"repositories_added": None}, "it names no repository"),
        ({"installation": {}}, "it names no installation"),
    ],
)
def test_anything_else_is_left_alone(change: dict[str, object], why: str) -> None:
    meant = installation_repositories.meaning(PAYLOAD | change)
    assert (meant.news, meant.ignored) == ((), why)


@pytest.mark.parametrize("sent", examples("installation_repositories"))
def test_every_published_example_is_understood(sent: dict[str, Any]) -> None:
    meant = installation_repositories.meaning(sent)
    added = sent["repositories_added"] if sent["action"] == "added" else []
    assert len(meant.news) == len(added)
    assert meant.installation_id == sent["installation"]["id"]
