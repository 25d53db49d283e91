"""What is done for a repository itself: groups of a merge queue, open pull requests, readiness.

One job at a time, as for a pull request. Each piece of work is done by itself and forgotten when it
is done; doing it again changes nothing.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from bot.core.check_run import CheckRun
from bot.core.errors import GitHubError
from bot.core.snapshot import Snapshot
from bot.github.errors import Forbidden, NotFound, RateLimited, Renamed
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.github.open_pulls import open_pulls
from bot.github.publish import Publication, publish
from bot.github.published import read_nothing
from bot.github.standing import read_commit, read_tip
from bot.handlers import permissions, ready
from bot.handlers.indexes import Indexes
from bot.handlers.loading import Loader
from bot.handlers.own_failures import runs_after
from bot.handlers.reaching import access_to, lacking, limits_pause_the_job
from bot.jobs.queue import now_ms
from bot.render.check_runs import check_runs
from bot.store import pulls
from bot.store import work as stored
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.pulls import Failure, PullKey, PullState, Wake
from bot.store.work import WaitingWork, Work, WorkKind

log = logging.getLogger(__name__)

MAX_WOKEN: Final = 300  # pull requests at a time, the newest; an older one is met when it moves
# Of those, how many have their checks in progress until they are judged by other rules. Each costs
# twice four check runs, and GitHub takes no more than 80 a minute. Where only memories have changed
# most verdicts stay, and the others follow as soon as these writes would.
MAX_IN_PROGRESS: Final = 10
PATIENCE: Final = timedelta(minutes=15)  # with a group; the retries of one job take seven
_REMEDY: Final = "Put the pull request into the merge queue again to have it checked anew."


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryJobs:
    """Does what waits for repositories. wake: has pull requests brought up to date."""

    github: GitHubApp
    database: Database
    loader: Loader
    indexes: Indexes
    wake: Callable[[Sequence[Wake]], Awaitable[None]]

    async def bring_up_to_date(self, claim: Claim) -> None:
        """Do all that waits. What fails keeps waiting, and nothing waits for it.

        Raises RetryLater while GitHub limits our requests and when another process has begun the
        job, and at the end the first GitHubError.
        """
        key = claim.key
        state = await self._state(key)
        access, failures = access_to(self.github, self.database, state, claim), []
        with limits_pause_the_job():
            for waiting in await self._waiting(key):
                try:
                    await self._do(access, state, waiting.work)
                except (RateLimited, Renamed):
                    raise
                except GitHubError as error:
                    log.warning("repository %s: %s: %s", key, waiting.work.kind, error)
                    failures.append(error)
                    # News of the repository lets the count of attempts begin anew. So this may
                    # come before the job is given up, and must not wait for it.
                    if _has_waited(waiting):
                        await self._let_go(key, access, waiting, _failure(error))
                else:
                    await self._settle(key, waiting)
        if failures:
            raise failures[0]

    async def give_up(self, claim: Claim, failure: Failure) -> None:
        """Let nothing wait any longer: each group gets its verdicts, failed with the id of the log.

        Raises RetryLater and GitHubError as above.
        """
        key = claim.key
        state = await self._state(key)
        access = access_to(self.github, self.database, state, claim)
        with limits_pause_the_job():
            for waiting in await self._waiting(key):
                await self._let_go(key, access, waiting, failure)

    async def _let_go(
        self, key: PullKey, access: RepositoryAccess, waiting: WaitingWork, failure: Failure
    ) -> None:
        log.error("repository %s: %s: given up, %s", key, waiting.work.kind, failure.request_id)
        if waiting.work.kind is WorkKind.GROUP:
            await _say_that_it_failed(access, waiting.work, failure)
        await self._settle(key, waiting)

    async def _do(self, access: RepositoryAccess, state: PullState, work: Work) -> None:
        missing = await lacking(access)
        if missing:
            log.warning("%s of %s lacks %s", work.kind, state.repository, ", ".join(missing))
            await _do_without(access, work, missing)
        elif work.kind in {WorkKind.WAKE, WorkKind.RULES}:
            await self._wake(access, state, work)
        elif work.kind is WorkKind.READY:
            await _make_ready(access, state.reruns if work.head_sha else None)
        else:
            await self._judge(access, state, work)

    async def _judge(self, access: RepositoryAccess, state: PullState, work: Work) -> None:
        loaded = await self.loader.load_group(access, state, work)
        runs = await asyncio.to_thread(_decide, loaded.snapshot, self.indexes)
        receipt = await publish(
            access,
            Publication(check_runs=runs, comment=None, reruns=state.reruns),
            loaded.published,
        )
        log.info(
            "merge group %s of %s with pull requests %s: wrote %d checks",
            work.head_sha[:12],
            state.key,
            loaded.numbers,
            len(receipt.check_runs),
        )

    async def _wake(self, access: RepositoryAccess, state: PullState, work: Work) -> None:
        found = await open_pulls(access, base_ref=work.base_ref or None, limit=MAX_WOKEN)
        woken = [
            Wake(
                key=PullKey(repository_id=state.key.repository_id, number=number),
                installation_id=state.installation_id,
                repository=found.repository,
                head_sha=head_sha,
                reruns=bool(work.head_sha),  # which is how one is asked for by its head
                unsettles=work.kind is WorkKind.RULES and place < MAX_IN_PROGRESS,
            )
            for place, (number, head_sha) in enumerate(found.pulls)
            if work.head_sha in ("", head_sha)
        ]
        await self.wake(woken)
        log.info(
            "repository %s: woke %d pull requests on %s, left %d",
            state.key,
            len(woken),
            work.head_sha[:12] or work.base_ref or "all branches",
            found.total - len(found.pulls),
        )

    async def _state(self, key: PullKey) -> PullState:
        state = await self.database.transact(partial(pulls.state, key=key))
        if state is None:
            raise LookupError(f"repository {key} was never heard of")
        return state

    async def _waiting(self, key: PullKey) -> tuple[WaitingWork, ...]:
        return await self.database.transact(
            partial(stored.waiting, repository_id=key.repository_id)
        )

    async def _settle(self, key: PullKey, waiting: WaitingWork) -> None:
        await self.database.transact(
            partial(stored.done, repository_id=key.repository_id, waiting=waiting)
        )


async def _do_without(access: RepositoryAccess, work: Work, missing: tuple[str, ...]) -> None:
    """Say on a group which permissions are missing; the owner's answer wakes all the rest."""
    if work.kind is WorkKind.GROUP and "checks: write" not in missing:
        published = await read_nothing(access, 0, head_sha=work.head_sha)
        runs = permissions.runs_without(missing)
        await publish(access, Publication(check_runs=runs, comment=None), published)


async def _say_that_it_failed(access: RepositoryAccess, work: Work, failure: Failure) -> None:
    """Give a group its verdicts, unless it is gone or GitHub does not let us."""
    runs = runs_after(failure, remedy=_REMEDY)
    try:
        published = await read_commit(access, work.head_sha, base_ref=work.base_ref)
        await publish(access, Publication(check_runs=runs, comment=None), published)
    except (NotFound, Forbidden) as error:
        log.warning("merge group %s: %s", work.head_sha[:12], error)


def _has_waited(waiting: WaitingWork) -> bool:
    waited = timedelta(milliseconds=now_ms() - waiting.received_ms)
    return waiting.work.kind is WorkKind.GROUP and waited > PATIENCE


def _failure(error: GitHubError) -> Failure:
    return Failure(error=type(error).__name__, request_id=secrets.token_hex(6))


async def _make_ready(access: RepositoryAccess, reruns: int | None) -> None:
    """Put a success under each name of ours that the default branch does not show yet.

    reruns: how often new runs were asked for, where they are now: then what stands there as such a
    success is made anew. A verdict stays.
    """
    tip = await read_tip(access)
    if tip is None:
        return
    runs = tuple(
        run
        for run in ready.RUNS
        if (known := tip.check(run.name)) is None or (reruns and known.title == run.title)
    )
    await publish(access, Publication(check_runs=runs, comment=None, reruns=reruns or 0), tip)


def _decide(snapshot: Snapshot, indexes: Indexes) -> tuple[CheckRun, ...]:
    """The verdicts. Takes milliseconds to seconds, so not on the loop."""
    return check_runs(indexes.review(snapshot))
