"""`issue_comment`: somebody wrote on a pull request, perhaps a command.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment
"""

import re
from typing import Final

from bot.commands.grammar import NAME, parse
from bot.commands.registry import HANDLERS
from bot.handlers import payload as read
from bot.handlers.audit import row
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.commands import AuditOutcome, WaitingCommand, digest
from bot.store.pulls import PullKey, Wake
from bot.store.work import AuditNews

_ON_A_LINE: Final = re.compile(rf"^ {{0,3}}{NAME}", re.IGNORECASE | re.MULTILINE)
_MAX_TEXT: Final = 1 << 18  # characters; GitHub takes 65,536


def meaning(payload: Payload) -> Meaning:
    """The comment, if it may hold a command, to run on its pull request."""
    ignored, wake, command = _why_not(payload), _wake(payload), _command(payload)
    if ignored is None and read.words(payload, "comment", "user", "type") == "Bot":
        return _refused(payload, wake, command)
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
    if NAME not in (_text(payload) or "").casefold():
        return "it holds no command"
    return None


def _refused(payload: Payload, wake: Wake | None, command: WaitingCommand | None) -> Meaning:
    """A bot's commands go into the audit and nowhere else: bots that answer bots never end.

    What we write ourselves has no command on a line of its own, and need not be parsed.
    """
    text, news = _text(payload) or "", None
    if wake is not None and command is not None and _ON_A_LINE.search(text):
        rows = tuple(
            row(command.comment_id, position, command.author_id, one, AuditOutcome.REFUSED)
            for position, one in enumerate(parse(text, HANDLERS).commands)
        )
        news = AuditNews(key=wake.key, rows=rows) if rows else None
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        news=() if news is None else (news,),
        ignored="bots do not command",
    )


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
