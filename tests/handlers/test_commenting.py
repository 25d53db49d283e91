"""Which comments hold commands that wait."""

import copy
from typing import Any

import pytest

from bot.commands.grammar import marks, parse
from bot.commands.registry import HANDLERS
from bot.handlers.meaning import Meaning
from bot.handlers.registry import meaning as meaning_of
from bot.store.audit import AuditOutcome
from bot.store.commands import WaitingCommand, digest
from bot.store.pulls import PullKey, Wake
from bot.store.work import AuditNews

TEXT = "Looks right.\n\n/MemoryRail approve DEC-a3f9\n"
AT = "2026-10-10T12:00:00Z"
MS = 1_791_633_600_000
MARKS = " ".join(marks(parse(TEXT, HANDLERS)))
ADA = {"id": 1, "login": "ada", "type": "User"}
PAYLOAD: dict[str, Any] = {
    "action": "created",
    "installation": {"id": 5},
    "repository": {"id": 7, "full_name": "octo/shop"},
    "sender": ADA,
    "issue": {"number": 12, "pull_request": {"url": "…"}},
    "comment": {"id": 99, "body": TEXT, "user": ADA, "created_at": AT, "updated_at": AT},
}
LINE = {**PAYLOAD, "pull_request": {"number": 12}}
REVIEW = {
    **LINE,
    "action": "submitted",
    "review": {"id": 99, "body": TEXT, "user": ADA, "submitted_at": AT},
}


def meaning(payload: dict[str, Any]) -> Meaning:
    return meaning_of("issue_comment", payload)


def changed(*path: str, to: object) -> dict[str, Any]:
    payload = copy.deepcopy(PAYLOAD)
    at = payload
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return payload


@pytest.mark.parametrize(
    ("event", "payload", "anchor"),
    [
        ("issue_comment", PAYLOAD, "issuecomment-99"),
        ("pull_request_review", REVIEW, "pullrequestreview-99"),
        ("pull_request_review_comment", LINE, "discussion_r99"),
    ],
)
def test_words_with_a_command_wait_on_their_pull_request(
    event: str, payload: dict[str, Any], anchor: str
) -> None:
    meant = meaning_of(event, payload)
    assert meant.ignored is None
    assert meant.news == (
        Wake(key=PullKey(repository_id=7, number=12), installation_id=5, repository="octo/shop"),
    )
    assert meant.command == WaitingCommand(
        comment=anchor, author_id=1, digest=digest(TEXT), written_ms=MS, marks=MARKS
    )


def edited(before: object, **more: object) -> dict[str, Any]:
    payload = changed("comment", "updated_at", to="2026-10-10T12:00:05Z")
    return {**payload, "action": "edited", "changes": {"body": {"from": before}}, **more}


def test_an_edit_brings_what_stood_there_before() -> None:
    before = "/memoryrail help\n/memoryrail aprove DEC-a3f9"
    command = meaning(edited(before)).command
    assert command == WaitingCommand(
        comment="issuecomment-99",
        author_id=1,
        digest=digest(TEXT),
        written_ms=MS + 5_000,
        is_edit=True,
        marks=MARKS,
        known=" ".join(marks(parse(before, HANDLERS))),
    )
    assert len(command.known.split()) == 2


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (changed("action", to="deleted"), "only what is written commands"),
        (edited("x", sender={"id": 2}), "somebody else edited it"),
        (edited("x", sender=None), "somebody else edited it"),
        (edited(None), "its text was not edited"),
        (edited(f"{'x' * 9_000}/memoryrail"), "it was too long before it was edited"),
        (changed("issue", to={"number": 12}), "it is on an issue"),
        (changed("issue", "pull_request", to=None), "it is on an issue"),
        (changed("comment", "body", to="Thanks!"), "it holds no command"),
        (changed("comment", "body", to=None), "it holds no command"),
        (changed("comment", "id", to="99"), "it does not say which comment"),
        (changed("installation", to=None), "it does not say which comment"),
    ],
    ids=[
        "deleted",
        "foreign edit",
        "nobody's edit",
        "no edit",
        "long edit",
        "issue",
        "no pull request",
        "no command",
        "no text",
        "no id",
        "no app",
    ],
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
    assert (row.comment, row.actor_id, row.verb, row.refs) == (
        "issuecomment-99",
        1,
        "approve",
        "DEC-a3f9",
    )
    assert row.outcome is AuditOutcome.REFUSED
    talk = changed("comment", "user", "type", to="Bot")
    talk["comment"]["body"] = "`/memoryrail approve X`\n\n    /memoryrail help"
    assert meaning(talk).news == ()


def test_a_ghost_commands_nothing() -> None:
    assert meaning(changed("comment", "user", to=None)).command is None
