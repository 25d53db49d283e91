"""A check run or check suite that is to be made again: for which pull request?

GitHub lists no pull requests of forks in these events, so ours is known by the id that we gave the
check run, else by the head that we last heard of. A merge queue's group is known by the branch that
the queue made for it, which names its base; and what stands on the default branch by that.
"""

import re
from dataclasses import replace
from typing import Final

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.pulls import HeadWake, PullKey, Wake
from bot.store.work import News, Work, WorkKind

_EXTERNAL_ID: Final = re.compile(r"(\d{1,18}):(\d{1,18}):([^\s:]{1,1000}):[^\s:]+", re.ASCII)
# https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue
_GROUP: Final = re.compile(
    r"gh-readonly-queue/(.{1,900})/pr-\d{1,9}-([0-9a-f]{40}(?:[0-9a-f]{24})?)", re.ASCII
)


def meaning(payload: Payload, what: str) -> Meaning:
    """New check runs, when they were asked for. what: the key of the check run or suite."""
    is_asked = read.action(payload) == "rerequested"
    news = _news(payload, what) if is_asked else ()
    ignored = "it does not say which commit" if is_asked else "nothing was asked for again"
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        news=news,
        ignored=None if news else ignored,
    )


def pull_of(external_id: str) -> PullKey | None:
    """The pull request that a check run of ours judges; None where it judges none, or is foreign.

    external_id: as bot/github/publish.py makes it.
    """
    ours = _EXTERNAL_ID.fullmatch(external_id)
    if ours is None or int(ours[2]) == 0:
        return None
    return PullKey(repository_id=int(ours[1]), number=int(ours[2]))


def _news(payload: Payload, what: str) -> tuple[News, ...]:
    repository_id, repository = read.repository_id(payload), read.repository(payload)
    installation_id = read.installation_id(payload)
    head_sha = read.sha(payload, what, "head_sha")
    if repository_id is None or repository is None or installation_id is None:
        return ()
    ours = read.words(payload, what, "external_id") or ""
    key, base = pull_of(ours), _EXTERNAL_ID.fullmatch(ours)
    if key is not None and key.repository_id == repository_id:
        wake = Wake(
            key=key,
            installation_id=installation_id,
            repository=repository,
            reruns=True,
        )
        return (wake,)
    if head_sha is None:
        return ()
    by_head = HeadWake(
        repository_id=repository_id,
        installation_id=installation_id,
        repository=repository,
        head_sha=head_sha,
        reruns=True,
    )
    branch = _branch(payload, what) or (base[3] if base and int(base[1]) == repository_id else "")
    work = _work(head_sha, branch, read.words(payload, "repository", "default_branch"))
    news = read.repository_news(payload, *work)
    return (by_head, replace(news, reruns=True)) if work and news else (by_head,)


def _branch(payload: Payload, what: str) -> str | None:
    suite = (what,) if what == "check_suite" else (what, "check_suite")
    return read.words(payload, *suite, "head_branch")


def _work(head_sha: str, branch: str, default: str | None) -> tuple[Work, ...]:
    """What is to be done for the repository itself: for a group, or for the default branch."""
    if group := _GROUP.fullmatch(branch):
        work = Work(
            kind=WorkKind.GROUP,
            base_ref=group[1],
            head_sha=head_sha,
            head_ref=branch,
            base_sha=group[2],
        )
        return (work,)
    return (Work(kind=WorkKind.READY, head_sha=head_sha),) if branch == default else ()
