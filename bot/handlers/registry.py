"""The one table of the events that mean something to us; any other is recorded and left alone."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.handlers import (
    check_run,
    check_suite,
    installation,
    issue_comment,
    ping,
    pull_request,
)
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload

HANDLERS: Final[Mapping[str, Callable[[Payload], Meaning]]] = {
    "check_run": check_run.meaning,
    "check_suite": check_suite.meaning,
    "installation": installation.meaning,
    "issue_comment": issue_comment.meaning,
    "ping": ping.meaning,
    "pull_request": pull_request.meaning,
}


def meaning(event: str, payload: Payload) -> Meaning:
    """What a delivery means. Never raises."""
    handler = HANDLERS.get(event)
    return (
        Meaning(ignored="events of this kind are not handled")
        if handler is None
        else handler(payload)
    )
