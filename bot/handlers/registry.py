"""The one table of the events that mean something to us; any other is recorded and left alone."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.handlers import (
    check_run,
    check_suite,
    installation,
    installation_repositories,
    issue_comment,
    merge_group,
    ping,
    pull_request,
    pull_request_review,
    pull_request_review_comment,
    push,
    repository,
)
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload

HANDLERS: Final[Mapping[str, Callable[[Payload], Meaning]]] = {
    "check_run": check_run.meaning,
    "check_suite": check_suite.meaning,
    "installation": installation.meaning,
    "installation_repositories": installation_repositories.meaning,
    "issue_comment": issue_comment.meaning,
    "merge_group": merge_group.meaning,
    "ping": ping.meaning,
    "pull_request": pull_request.meaning,
    "pull_request_review": pull_request_review.meaning,
    "pull_request_review_comment": pull_request_review_comment.meaning,
    "push": push.meaning,
    "repository": repository.meaning,
}


def meaning(event: str, payload: Payload) -> Meaning:
    """What a delivery means. Never raises."""
    handler = HANDLERS.get(event)
    return (
        Meaning(ignored="events of this kind are not handled")
        if handler is None
        else handler(payload)
    )
