"""`repository`: it has another name, owner or default branch, or can be written to again.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#repository
"""

from typing import Final

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.work import Work, WorkKind

MOVED: Final = frozenset(["renamed", "transferred"])


def meaning(payload: Payload) -> Meaning:
    """What it is called now; or, back from the archive, its pull requests to bring up to date."""
    action = read.action(payload)
    ignored, news = "nothing that is judged has changed", None
    if action in MOVED:
        ignored, news = "it does not say which repository", read.repository_news(payload)
    elif action == "edited" and read.has(payload, "changes", "default_branch"):
        # Settings come from there, and the checks are chosen by what has run on it.
        ignored = "it does not say which repository"
        rules, ready = Work(kind=WorkKind.RULES), Work(kind=WorkKind.READY)
        news = read.repository_news(payload, rules, ready)
    elif action == "unarchived":
        work = Work(kind=WorkKind.WAKE)
        ignored, news = "it does not say which repository", read.repository_news(payload, work)
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        news=() if news is None else (news,),
        ignored=ignored if news is None else None,
    )
