"""Our own commits: GitHub's signature counts, what anyone can write does not."""

from typing import Any

import pytest

from bot.github.own_commits import is_ours
from bot.github.tokens import Identity

US = Identity(app_id=1, slug="memoryrail")
SIGNED = {"isValid": True, "wasSignedByGitHub": True}
BOT = {"__typename": "User", "login": "memoryrail[bot]", "databaseId": 9}
ADDRESS = "9+memoryrail[bot]@users.noreply.github.com"
OURS: dict[str, Any] = {
    "author": {"email": ADDRESS, "user": BOT},
    "committer": {"email": "noreply@github.com"},
    "signature": SIGNED,
}

COMMITS = {
    "as GitHub makes it for us": (OURS, True),
    "with a bot that GitHub does not link": (
        {**OURS, "author": {"email": ADDRESS, "user": None}},
        True,
    ),
    "on an instance of one's own": ({**OURS, "committer": {"email": "noreply@git.corp"}}, True),
    "unsigned": ({**OURS, "signature": None}, False),
    "with a signature that is not valid": (
        {**OURS, "signature": {**SIGNED, "isValid": False}},
        False,
    ),
    "signed with a key of somebody": (
        {**OURS, "signature": {**SIGNED, "wasSignedByGitHub": False}},
        False,
    ),
    "written in a codespace": ({**OURS, "committer": {"email": "alice@example.org"}}, False),
    "by another app": (
        {**OURS, "author": {"email": "8+other[bot]@users.noreply.github.com", "user": None}},
        False,
    ),
    "by a person of that name": (
        {**OURS, "author": {"email": ADDRESS, "user": {**BOT, "login": "memoryrail"}}},
        False,
    ),
    "by a deleted account": ({**OURS, "author": {"email": "a@b.c", "user": None}}, False),
    "of which nothing is known": ({}, False),
}


@pytest.mark.parametrize(("commit", "expected"), COMMITS.values(), ids=COMMITS)
def test_is_ours(commit: dict[str, Any], expected: bool) -> None:
    assert is_ours(commit, US) is expected
