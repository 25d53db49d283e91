"""Which presses of a button wait, and what is kept of them."""

import copy
from typing import Any

import pytest

from bot.handlers.registry import meaning
from bot.store.audit import AuditOutcome
from bot.store.commands import digest
from bot.store.pulls import PullKey, Wake
from bot.store.work import AuditNews

GUID = "0b989ba4-242f-11e5-81e1-c7b6966d2516"
PAYLOAD: dict[str, Any] = {
    "action": "requested_action",
    "installation": {"id": 5},
    "repository": {"id": 7, "full_name": "octo/shop"},
    "sender": {"id": 1, "login": "ada", "type": "User"},
    "requested_action": {"identifier": "approve-all"},
    "check_run": {"id": 99, "head_sha": "a" * 40, "external_id": "7:12:main:0123"},
}


def changed(*path: str, to: object) -> dict[str, Any]:
    payload = copy.deepcopy(PAYLOAD)
    at = payload
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return payload


@pytest.mark.parametrize(
    ("identifier", "text", "reruns"),
    [
        ("approve-all", "/memoryrail approve all", False),
        ("sync", "/memoryrail sync", False),
        ("recheck", "/memoryrail recheck", True),
    ],
)
def test_a_press_waits_as_the_command_would(identifier: str, text: str, reruns: bool) -> None:
    payload = changed("requested_action", "identifier", to=identifier)
    meant = meaning("check_run", payload, guid=GUID)
    key = PullKey(repository_id=7, number=12)
    assert meant.news == (Wake(key=key, installation_id=5, repository="octo/shop", reruns=reruns),)
    command = meant.command
    assert command is not None
    assert (command.comment, command.author_id) == (f"press-99-{GUID}", 1)
    assert command.digest == digest(text)
    assert command.written_ms > 0
    assert not command.is_edit


@pytest.mark.parametrize(
    "payload",
    [
        changed("requested_action", "identifier", to="delete-all"),
        changed("requested_action", to=None),
        changed("check_run", "external_id", to="8:12:main:0123"),
        changed("check_run", "external_id", to="7:0:main:0123"),
        changed("check_run", "external_id", to="something else"),
        changed("check_run", "id", to="99"),
        changed("sender", to=None),
        changed("installation", to=None),
    ],
    ids=[
        "unknown button",
        "no button",
        "another repository",
        "a group",
        "foreign",
        "no run",
        "nobody",
        "no installation",
    ],
)
def test_other_presses_are_ignored(payload: dict[str, Any]) -> None:
    meant = meaning("check_run", payload, guid=GUID)
    assert (meant.news, meant.command) == ((), None)
    assert meant.ignored


def test_a_press_of_no_delivery_is_ignored() -> None:
    assert meaning("check_run", PAYLOAD).command is None


def test_a_bots_press_is_only_written_down() -> None:
    meant = meaning("check_run", changed("sender", "type", to="Bot"), guid=GUID)
    assert meant.command is None
    (news,) = meant.news
    assert isinstance(news, AuditNews)
    (row,) = news.rows
    assert (row.comment, row.verb, row.refs) == (f"press-99-{GUID}", "approve", "all")
    assert row.outcome is AuditOutcome.REFUSED
