"""`issue_comment`: somebody wrote on a pull request, perhaps a command.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment
"""

from typing import Final

from bot.commands.grammar import NAME
from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.commands import WaitingCommand, digest
from bot.store.pulls import PullKey, Wake

_MAX_TEXT: Final = 1 << 18  # characters; GitHub takes 65,536


def meaning(payload: Payload) -> Meaning:
    """The comment, if it may hold a command, to run on its pull request."""
    ignored, wake, command = _why_not(payload), _wake(payload), _command(payload)
    if ignored is None and (wake is None or command is None):
        ignored = "it does not say which comment"
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        news=(wake,) if wake and ignored is None else (),
        command=command if ignored is None else None,
        ignored=ignored,
    )


def _why_not(payload: Payload) -> str | None:
    """Why a comment cannot hold a command; None when it may."""
    if read.action(payload) != "created":
        return "only new comments command"
    if not read.has(payload, "issue", "pull_request"):
        return "it is on an issue"
    if read.words(payload, "comment", "user", "type") == "Bot":
        return "bots do not command"
    if NAME not in (_text(payload) or "").casefold():
        return "it holds no command"
    return None


def _wake(payload: Payload) -> Wake | None:
    installation_id = read.installation_id(payload)
    repository_id, repository = read.repository_id(payload), read.repository(payload)
    number = read.number(payload, "issue", "number")
    if installation_id is None or repository_id is None or repository is None or number is None:
        return None
    return Wake(
        key=PullKey(repository_id=repository_id, number=number),
        installation_id=installation_id,
        repository=repository,
    )


def _command(payload: Payload) -> WaitingCommand | None:
    comment_id, text = read.number(payload, "comment", "id"), _text(payload)
    author_id = read.number(payload, "comment", "user", "id")
    if comment_id is None or text is None or author_id is None:
        return None
    return WaitingCommand(comment_id=comment_id, author_id=author_id, digest=digest(text))


def _text(payload: Payload) -> str | None:
    return read.words(payload, "comment", "body", max_length=_MAX_TEXT)
