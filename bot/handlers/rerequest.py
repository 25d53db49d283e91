"""A check run or check suite that is to be made again: for which pull request?

GitHub lists no pull requests of forks in these events, so ours is known by the id that we gave the
check run, else by the head that we last heard of.
"""

import re
from typing import Final

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.pulls import HeadWake, PullKey, Wake

_EXTERNAL_ID: Final = re.compile(r"(\d{1,18}):(\d{1,18}):[^\s]{1,1000}", re.ASCII)


def meaning(payload: Payload, what: str) -> Meaning:
    """New check runs, when they were asked for. what: the key of the check run or suite."""
    wake = _wake(payload, what) if read.action(payload) == "rerequested" else None
    ignored = "nothing was asked for again"
    if read.action(payload) == "rerequested":
        ignored = "it does not say which commit"
    return Meaning(
        installation_id=read.installation_id(payload),
        repository_id=read.repository_id(payload),
        news=() if wake is None else (wake,),
        ignored=ignored if wake is None else None,
    )


def _wake(payload: Payload, what: str) -> Wake | HeadWake | None:
    repository_id, repository = read.repository_id(payload), read.repository(payload)
    installation_id = read.installation_id(payload)
    head_sha = read.sha(payload, what, "head_sha")
    if repository_id is None or repository is None or installation_id is None:
        return None
    ours = _EXTERNAL_ID.fullmatch(read.words(payload, what, "external_id") or "")
    if ours and int(ours[1]) == repository_id and int(ours[2]) > 0:
        return Wake(
            key=PullKey(repository_id=repository_id, number=int(ours[2])),
            installation_id=installation_id,
            repository=repository,
            reruns=True,
        )
    if head_sha is None:
        return None
    return HeadWake(repository_id=repository_id, head_sha=head_sha, reruns=True)
