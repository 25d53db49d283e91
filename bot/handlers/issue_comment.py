"""`issue_comment`: somebody wrote on a pull request, perhaps a command.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment
"""

from typing import Final

from bot.core.anchor import Kind
from bot.handlers import commenting
from bot.handlers import payload as read
from bot.handlers.commenting import Event
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload

_EVENT: Final = Event(kind=Kind.COMMENT, words="comment", on="issue", new="created")


def meaning(payload: Payload, names: tuple[str, ...]) -> Meaning:
    """The words, if they may hold a command. names: what one may begin with."""
    if not read.has(payload, "issue", "pull_request"):
        return commenting.ignored(payload, "it is on an issue")
    return commenting.meaning(payload, _EVENT, names)
