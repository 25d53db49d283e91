"""The one kind of job: bring a pull request up to date, whatever woke it.

Load what GitHub has, let the core decide, publish the difference. Doing it again changes nothing.
"""

import asyncio
import hashlib
import hmac
import logging
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

from bot.core.check_run import CheckRun
from bot.core.report import Check, Conclusion
from bot.core.review import review
from bot.github.answers import child, text
from bot.github.errors import HeadMoved, NotFound, RateLimited
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.github.publish import Publication, publish
from bot.github.published import read_published
from bot.github.snapshot import Loaded, load
from bot.jobs.worker import RetryLater
from bot.render.check_runs import check_runs
from bot.render.comment import Place, comment
from bot.store import pulls
from bot.store.database import Database
from bot.store.pulls import Failure, PullKey, PullState

log = logging.getLogger(__name__)

_HEADS: Final = 3  # newer heads that one job follows before it makes room for others
_PAUSE: Final = timedelta(seconds=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class PullJobs:
    """Brings pull requests up to date, and says so where that fails for good."""

    github: GitHubApp
    database: Database
    fingerprint_key: bytes = field(repr=False)

    async def bring_up_to_date(self, key: PullKey) -> None:
        """Publish the verdicts and the comment for the newest head; write only what differs.

        Raises RetryLater while GitHub limits our requests, GitHubError when it cannot be asked.
        """
        state = await self._state(key)
        access, head = _access(self.github, state), state.head_sha
        try:
            for _ in range(_HEADS):
                try:
                    await self._publish(access, state, head)
                except HeadMoved as moved:
                    log.info("pull request %s: %s", key, moved)
                    head = moved.head
                else:
                    return
        except RateLimited as limited:
            raise RetryLater(limited.retry_after) from limited
        except NotFound as error:
            log.info("pull request %s is out of reach: %s", key, error)
            return
        raise RetryLater(_PAUSE)

    async def say_that_it_failed(self, key: PullKey, failure: Failure) -> None:
        """Give every check a verdict on the newest head: failed, with the id that finds the log."""
        state = await self._state(key)
        access = _access(self.github, state)
        reply = await access.get(f"/pulls/{key.number}")
        head = text(child(reply.data, "head"), "sha")
        published, _ = await read_published(access, key.number, head_sha=head)
        runs = tuple(_failed_run(check, failure) for check in Check)
        await publish(access, Publication(check_runs=runs, comment=None), published)

    async def _publish(self, access: RepositoryAccess, state: PullState, head: str | None) -> None:
        installation = str(state.installation_id).encode()
        loaded = await load(
            access,
            state.key.number,
            head=head,
            fingerprint_key=hmac.digest(self.fingerprint_key, installation, hashlib.sha256),
        )
        if not loaded.snapshot.pull.is_open:
            return
        wanted = await asyncio.to_thread(_decide, loaded)
        receipt = await publish(access, wanted, loaded.published)
        log.info(
            "pull request %s at %s: wrote %d checks%s",
            state.key,
            loaded.snapshot.head.sha[:12],
            len(receipt.check_runs),
            " and the comment" if receipt.comment else "",
        )

    async def _state(self, key: PullKey) -> PullState:
        state = await self.database.transact(partial(pulls.state, key=key))
        if state is None:
            raise LookupError(f"pull request {key} was never heard of")
        return state


def _decide(loaded: Loaded) -> Publication:
    """What the pull request should show. Takes milliseconds to seconds, so not on the loop."""
    snapshot, standing = loaded.snapshot, loaded.published.comment
    report = review(snapshot)
    place = Place(url=snapshot.repository.url, number=snapshot.pull.number)
    return Publication(
        check_runs=check_runs(report),
        comment=comment(report, place, standing.body if standing else None),
    )


def _access(github: GitHubApp, state: PullState) -> RepositoryAccess:
    owner, _, name = state.repository.partition("/")
    return github.installation(state.installation_id).repository(owner, name)


def _failed_run(check: Check, failure: Failure) -> CheckRun:
    return CheckRun(
        name=check.value,
        conclusion=Conclusion.FAILURE,
        title=f"The bot could not check this (request {failure.request_id})",
        summary=(
            "Something went wrong on our side, several times. Push again or edit the description "
            "to have it checked anew. The operator finds the reason in the log under request "
            f"`{failure.request_id}`."
        ),
    )
