"""Which comment and which check runs are ours."""

import pytest

from bot.github.installation import RepositoryAccess
from bot.github.published import checks_of, ours
from bot.github.snapshot import load
from bot.github.tokens import Identity
from bot.sandbox.state.checks import create_check_run
from bot.sandbox.state.conversation import say
from tests.github.conftest import Shop

OURS = "<!-- memoryrail-bot -->\nHello"
ME = Identity(app_id=7, slug="memoryrail")


def node(
    login: str | None, typename: str = "Bot", body: str = OURS, id_: str = "C1"
) -> dict[str, object]:
    author = None if login is None else {"__typename": typename, "login": login}
    return {"id": id_, "fullDatabaseId": "3000000000", "body": body, "author": author}


@pytest.mark.parametrize(
    ("comment", "is_ours"),
    [
        (node("memoryrail"), True),
        (node("memoryrail[bot]"), True),
        (node("memoryrail", "User"), False),
        (node("memoryrail-evil"), False),
        (node("other"), False),
        (node(None), False),
        (node("memoryrail", body=f"> {OURS}"), False),
        (node("memoryrail", body=""), False),
        ({"id": "C1"}, False),
        ({}, False),
    ],
)
def test_author_and_marker_both_count(comment: dict[str, object], is_ours: bool) -> None:
    assert bool(ours([comment], ME)) is is_ours


def test_ours_are_told_as_github_lists_them() -> None:
    found = ours([node("x"), node("memoryrail", id_="C2"), node("memoryrail", id_="C3")], ME)
    assert [(one.node_id, one.database_id) for one in found] == [
        ("C2", 3_000_000_000),
        ("C3", 3_000_000_000),
    ]


def test_of_two_runs_of_a_name_the_later_counts() -> None:
    runs = [
        {"id": "b", "name": "n", "status": "COMPLETED", "startedAt": "2026-01-02T00:00:00Z"},
        {"id": "a", "name": "n", "status": "QUEUED", "startedAt": "2026-01-01T00:00:00Z"},
        None,
    ]
    suites = {"checkSuites": {"nodes": [None, {"checkRuns": None}, {"checkRuns": {"nodes": runs}}]}}
    assert [check.node_id for check in checks_of(suites)] == ["b"]


async def test_a_pasted_marker_is_not_our_comment(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    pull.comment("mallory", OURS)
    other = shop.github.create_app(slug="other")
    say(pull, OURS, user=other.bot, app=other)
    assert (await load(access, pull.number)).published.comment is None
    say(pull, OURS, user=shop.app.bot, app=shop.app)
    published = (await load(access, pull.number)).published
    assert published.comment is not None
    assert published.comment.body == OURS


async def test_our_comment_is_found_among_hundreds(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    for index in range(230):
        pull.comment("alice", f"Comment {index}")
    mine = say(pull, OURS, user=shop.app.bot, app=shop.app)
    published = (await load(access, pull.number)).published
    assert published.comment is not None
    assert published.comment.node_id == mine.node_id


async def test_a_comment_that_was_deleted_is_looked_for_again(
    shop: Shop, access: RepositoryAccess
) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    first = say(pull, OURS, user=shop.app.bot, app=shop.app)
    assert (await load(access, pull.number)).published.comment is not None
    first.delete(user=shop.app.bot)
    assert (await load(access, pull.number)).published.comment is None
    again = say(pull, OURS, user=shop.app.bot, app=shop.app)
    published = (await load(access, pull.number)).published
    assert published.comment is not None
    assert published.comment.node_id == again.node_id


async def test_only_our_runs_on_the_head_count(shop: Shop, access: RepositoryAccess) -> None:
    pull = shop.open({"src/b.py": "b\n"})
    other = shop.github.create_app(slug="other")
    fields = {"name": "memoryrail/sync", "status": "queued"}
    create_check_run(shop.repository, other, {**fields, "head_sha": pull.head_sha})
    create_check_run(shop.repository, shop.app, {**fields, "head_sha": pull.base_tip})
    assert (await load(access, pull.number)).published.checks == ()
    create_check_run(shop.repository, shop.app, {**fields, "head_sha": pull.head_sha})
    published = (await load(access, pull.number)).published
    check = published.check("memoryrail/sync")
    assert check is not None
    assert (check.status, check.conclusion) == ("QUEUED", None)
