"""The one table of the events that mean something to us; any other is recorded and left alone."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.commands.grammar import NAMES
from bot.handlers import (
    check_run,
    check_suite,
    installation,
    installation_repositories,
    issue_comment,
    merge_group,
    ping,
    pressing,
    pull_request,
    pull_request_review,
    pull_request_review_comment,
    push,
    repository,
)
from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload

HANDLERS: Final[Mapping[str, Callable[[Payload], Meaning]]] = {
    "check_run": check_run.meaning,
    "check_suite": check_suite.meaning,
    "installation": installation.meaning,
    "installation_repositories": installation_repositories.meaning,
    "merge_group": merge_group.meaning,
    "ping": ping.meaning,
    "pull_request": pull_request.meaning,
    "push": push.meaning,
    "repository": repository.meaning,
}
# Those in which people may command.
COMMENTING: Final[Mapping[str, Callable[[Payload, tuple[str, ...]], Meaning]]] = {
    "issue_comment": issue_comment.meaning,
    "pull_request_review": pull_request_review.meaning,
    "pull_request_review_comment": pull_request_review_comment.meaning,
}

EVENTS: Final = frozenset([*HANDLERS, *COMMENTING])


def meaning(
    event: str, payload: Payload, names: tuple[str, ...] = NAMES, *, guid: str = ""
) -> Meaning:
    """What a delivery means. names: what a command may begin with. guid: its id. Never raises."""
    if event == "check_run" and read.action(payload) == pressing.ACTION:
        return pressing.meaning(payload, guid)
    if commenting := COMMENTING.get(event):
        return commenting(payload, names)
    handler = HANDLERS.get(event)
    return (
        Meaning(ignored="events of this kind are not handled")
        if handler is None
        else handler(payload)
    )
