"""`merge_group`: a merge queue asks for the verdicts of what its base branch would become.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#merge_group
"""

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.work import Work, WorkKind


def meaning(payload: Payload) -> Meaning:
    """The group to judge; one that is gone again needs nothing."""
    ignored, news = "a group that is gone needs no verdict", None
    if read.action(payload) == "checks_requested":
        ignored, work = "it does not say which commits", _group(payload)
        news = None if work is None else read.repository_news(payload, work)
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        news=() if news is None else (news,),
        ignored=ignored if news is None else None,
    )


def _group(payload: Payload) -> Work | None:
    head_sha = read.sha(payload, "merge_group", "head_sha")
    base_sha = read.sha(payload, "merge_group", "base_sha")
    head_ref = read.branch(payload, "merge_group", "head_ref")
    base_ref = read.branch(payload, "merge_group", "base_ref")
    if head_sha is None or base_sha is None or base_ref is None:
        return None
    return Work(
        kind=WorkKind.GROUP,
        base_ref=base_ref,
        head_sha=head_sha,
        head_ref=head_ref or "",
        base_sha=base_sha,
    )
