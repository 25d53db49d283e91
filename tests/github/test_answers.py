"""GitHub's JSON with its nulls."""

import pytest

from bot.core.snapshot import Actor
from bot.github.answers import child, children, commit_author, graphql_actor, rest_actor


@pytest.mark.parametrize("value", [None, 3, "x", [], {"a": None}, {"a": {"b": None}}, {"a": []}])
def test_a_way_that_ends_early_leads_to_nothing(value: object) -> None:
    assert child(value, "a", "b") == {}
    assert list(children(value, "a", "b")) == []


def test_null_nodes_are_passed_over() -> None:
    assert list(children({"nodes": [None, {"id": 1}, 3]}, "nodes")) == [{"id": 1}]
    assert list(children([{"id": 1}, None])) == [{"id": 1}]


@pytest.mark.parametrize(
    ("value", "actor"),
    [
        ({}, None),
        ({"login": "alice", "databaseId": 5, "__typename": "User"}, Actor(id=5, login="alice")),
        (
            {"login": "x", "databaseId": 5, "__typename": "Bot"},
            Actor(id=5, login="x[bot]", is_bot=True),
        ),
        (
            {"login": "x[bot]", "databaseId": 5, "__typename": "User"},
            Actor(id=5, login="x[bot]", is_bot=True),
        ),
        ({"login": "gone", "__typename": "Mannequin"}, Actor(id=None, login="gone")),
    ],
)
def test_accounts_from_graphql(value: dict[str, object], actor: Actor | None) -> None:
    assert graphql_actor(value) == actor


def test_accounts_from_rest() -> None:
    assert rest_actor({}) is None
    bot = rest_actor({"login": "x[bot]", "id": 5, "type": "Bot"})
    assert bot == Actor(id=5, login="x[bot]", is_bot=True)


@pytest.mark.parametrize(
    ("email", "login"),
    [
        ("5+x[bot]@users.noreply.github.com", "x[bot]"),
        ("5+x[bot]@users.noreply.ghe.example", "x[bot]"),
        ("5+alice@users.noreply.github.com", None),
        ("5+x[bot]@example.com", None),
        ("", None),
    ],
)
def test_a_bot_that_github_does_not_link_is_known_by_its_address(
    email: str, login: str | None
) -> None:
    author = commit_author({"name": "x", "email": email, "user": None})
    assert (author.login if author else None) == login
