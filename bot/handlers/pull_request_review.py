"""`pull_request_review`: somebody reviewed a pull request, perhaps a command.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review
"""

from typing import Final

from bot.core.anchor import Kind
from bot.handlers import commenting
from bot.handlers.commenting import Event
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload

_EVENT: Final = Event(kind=Kind.REVIEW, words="review", on="pull_request", new="submitted")


def meaning(payload: Payload, names: tuple[str, ...]) -> Meaning:
    """The words, if they may hold a command. names: what one may begin with."""
    return commenting.meaning(payload, _EVENT, names)
