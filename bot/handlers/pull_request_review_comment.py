"""`pull_request_review_comment`: somebody wrote on a line of a pull request, perhaps a command.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review_comment
"""

from typing import Final

from bot.core.anchor import Kind
from bot.handlers import commenting
from bot.handlers.commenting import Event
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload

_EVENT: Final = Event(kind=Kind.REVIEW_COMMENT, words="comment", on="pull_request", new="created")


def meaning(payload: Payload, names: tuple[str, ...]) -> Meaning:
    """The words, if they may hold a command. names: what one may begin with."""
    return commenting.meaning(payload, _EVENT, names)
