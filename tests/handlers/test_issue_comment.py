"""Which comments hold commands that wait."""

import copy
from typing import Any

import pytest

from bot.handlers.issue_comment import meaning
from bot.store.commands import AuditOutcome, WaitingCommand, digest
from bot.store.pulls import PullKey, Wake
from bot.store.work import AuditNews

TEXT = "Looks right.\n\n/MemoryRail approve DEC-a3f9\n"
PAYLOAD: dict[str, Any] = {
    "action": "created",
    "installation": {"id": 5},
    "repository": {"id": 7, "full_name": "octo/shop"},
    "issue": {"number": 12, "pull_request": {"url": "…"}},
    "comment": {"id": 99, "body": TEXT, "user": {"id": 1, "login": "ada", "type": "User"}},
}


def changed(*path: str, to: object) -> dict[str, Any]:
    payload = copy.deepcopy(PAYLOAD)
    at = payload
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return payload


def test_a_comment_with_a_command_waits_on_its_pull_request() -> None:
    meant = meaning(PAYLOAD)
    assert meant.ignored is None
    assert meant.news == (
        Wake(key=PullKey(repository_id=7, number=12), installation_id=5, repository="octo/shop"),
    )
    assert meant.command == WaitingCommand(comment_id=99, author_id=1, digest=digest(TEXT))


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (changed("action", to="edited"), "only new comments command"),
        (changed("issue", to={"number": 12}), "it is on an issue"),
        (changed("issue", "pull_request", to=None), "it is on an issue"),
        (changed("comment", "body", to="Thanks!"), "it holds no command"),
        (changed("comment", "body", to=None), "it holds no command"),
        (changed("comment", "id", to="99"), "it does not say which comment"),
        (changed("installation", to=None), "it does not say which comment"),
    ],
    ids=["edited", "issue", "no pull request", "no command", "no text", "no id", "no app"],
)
def test_any_other_comment_is_left_alone(payload: dict[str, Any], why: str) -> None:
    meant = meaning(payload)
    assert (meant.ignored, meant.news, meant.command) == (why, (), None)


def test_a_bots_command_is_audited_and_nothing_else() -> None:
    meant = meaning(changed("comment", "user", "type", to="Bot"))
    assert (meant.ignored, meant.command) == ("bots do not command", None)
    (news,) = meant.news
    assert isinstance(news, AuditNews)
    assert news.key == PullKey(repository_id=7, number=12)
    (row,) = news.rows
    assert (row.comment_id, row.actor_id, row.verb, row.refs) == (99, 1, "approve", "DEC-a3f9")
    assert row.outcome is AuditOutcome.REFUSED
    talk = changed("comment", "user", "type", to="Bot")
    talk["comment"]["body"] = "`/memoryrail approve X`\n    /memoryrail help"
    assert meaning(talk).news == ()


def test_a_ghost_commands_nothing() -> None:
    assert meaning(changed("comment", "user", to=None)).command is None
