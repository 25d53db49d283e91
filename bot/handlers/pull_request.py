"""`pull_request`: what we judge has changed, or only what we do not look at.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
"""

from typing import Final

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.pulls import PullKey, Wake

# Commits, title, body or base are new; or a draft's state, which the comment depends on. A closed
# one no longer counts for the commit that it may share with others.
WAKING: Final = frozenset(
    [
        "opened",
        "reopened",
        "synchronize",
        "edited",
        "ready_for_review",
        "converted_to_draft",
        "closed",
    ]
)


def meaning(payload: Payload) -> Meaning:
    """The pull request to bring up to date, unless nothing that we judge has changed."""
    installation_id = read.installation_id(payload)
    repository_id = read.repository_id(payload)
    wake = None
    if read.action(payload) not in WAKING:
        ignored = "nothing that is judged has changed"
    elif installation_id is None:
        ignored = "it names no installation"
    else:
        wake = _wake(payload, installation_id)
        ignored = "it does not say which pull request"
    return Meaning(
        installation_id=installation_id,
        repository_id=repository_id,
        news=() if wake is None else (wake,),
        ignored=ignored if wake is None else None,
    )


def _wake(payload: Payload, installation_id: int) -> Wake | None:
    repository_id, repository = read.repository_id(payload), read.repository(payload)
    number = read.number(payload, "pull_request", "number")
    if repository_id is None or repository is None or number is None:
        return None
    return Wake(
        key=PullKey(repository_id=repository_id, number=number),
        installation_id=installation_id,
        repository=repository,
        head_sha=read.sha(payload, "pull_request", "head", "sha"),
        unsettles=read.has(payload, "changes", "base"),
        rejoins=read.action(payload) == "reopened",
    )
