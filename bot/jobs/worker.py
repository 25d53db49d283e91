"""Runs the jobs: one at a time for a pull request, and again until it has worked or is given up.

A job that is interrupted, by a crash or at the end of a stop's grace, stays with dbos as pending
until a process that lives takes it over. Nothing is checkpointed inside a job: it looks at what is
published and writes the difference, so beginning anew is right and cheap.
"""

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import Final

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig

from bot.jobs.enqueue import APPLICATION, VERSION, WORKFLOW
from bot.jobs.queue import Queue, now_ms
from bot.jobs.serializer import JsonSerializer
from bot.jobs.watch import Ending, Nobody, Watch
from bot.logs import about
from bot.store import claims, overview, pulls
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.overview import Labels
from bot.store.pulls import Failure, Job, PullKey

log = logging.getLogger(__name__)

Work = Callable[[Claim], Awaitable[None]]
GiveUp = Callable[[Claim, Failure], Awaitable[None]]

# How long a job waits after its first failure, its second, and so on; then it is given up.
RETRY_DELAYS: Final = tuple(timedelta(seconds=seconds) for seconds in (2, 10, 60, 300))
LONGEST_PAUSE: Final = timedelta(minutes=10)  # between attempts while giving up fails as well
SECONDS_TO_CANCEL: Final = 3
# Seconds between looks at dbos's notifications. We use none; it is what a stop waits for, at most.
_LISTENING: Final = 0.02
# Seconds between looks at whether other processes have ended their jobs.
_WATCHING: Final = 0.2


class RetryLater(Exception):  # noqa: N818  # says what to do, not what went wrong
    """Raised by the work: nothing is wrong, but not before delay has passed (a rate limit).

    Worker and pull request are free meanwhile. What wakes the pull request waits for that moment,
    unless covers_wakes is False: then it is brought up to date at once.
    """

    def __init__(self, delay: timedelta, *, covers_wakes: bool = True) -> None:
        super().__init__(f"again in {delay}")
        self.delay, self.covers_wakes = delay, covers_wakes


class Worker:
    """Takes jobs from the queue and does them on the event loop that started it.

    There can be one in a process, since dbos keeps its state in the module.
    """

    def __init__(
        self,
        database: Database,
        queue: Queue,
        *,
        work: Work,
        give_up: GiveUp,
        retry_delays: tuple[timedelta, ...] = RETRY_DELAYS,
        watch: Watch | None = None,
    ) -> None:
        """work: brings a pull request up to date. give_up: says so when it failed for good."""
        self._database, self._queue = database, queue
        self._work, self._give_up = work, give_up
        self._retry_delays = retry_delays
        self._watch = watch or Nobody()
        self._running: dict[str, asyncio.Task[object]] = {}  # by job id
        self._stopping = False
        self._ended = asyncio.Event()

    def start(self) -> None:
        """Begin with what waits.

        Blocks the event loop for a moment; dbos adopts the loop that runs here.
        """
        config: DBOSConfig = {
            "name": APPLICATION,
            "application_version": VERSION,
            "executor_id": self._database.process,
            "system_database_url": self._database.url.render_as_string(hide_password=False),
            "system_database_engine": self._database.engine,
            "serializer": JsonSerializer(),
            "run_migrations": False,
            "log_level": "WARNING",
            "use_listen_notify": False,
            "notification_listener_polling_interval_sec": _LISTENING,
        }
        # Without a handler of its own dbos adds one that writes to stderr past our logging.
        logging.getLogger("dbos").addHandler(logging.NullHandler())
        # What limits recovery is our own count of attempts (see _bring_up_to_date).
        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(self._workflow())
        DBOS(config=config)
        DBOS.launch()

    async def stop(self, *, grace: timedelta) -> None:
        """Take no more jobs, let the running ones end, and hand back those that outlast grace."""
        self._stopping = True
        running = set(self._running.values())
        if running:
            _, late = await asyncio.wait(running, timeout=grace / timedelta(seconds=1))
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=SECONDS_TO_CANCEL)
        await _in_thread(lambda: DBOS.destroy(destroy_registry=True))
        # dbos gave this loop its own threads, which are gone now; others may still need some.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())

    async def idle(self) -> None:
        """Wait until no job is queued, delayed or running."""
        while True:
            self._ended.clear()
            if await self._database.transact(pulls.is_idle):
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(_WATCHING if self._database.is_shared else None):
                    await self._ended.wait()

    @property
    def running(self) -> frozenset[str]:
        """The ids of the jobs that run here."""
        return frozenset(self._running)

    def drop(self, ids: Collection[str]) -> None:
        """Break jobs off that other processes run by now."""
        for id_ in ids:
            if id_ in self._running:
                log.warning("job %s was taken over by another process", id_)
                self._running[id_].cancel()

    def take_over(self, executors: Collection[str]) -> None:
        """Queue anew what processes that are no more were running. Blocks."""
        # Public resume_workflows would do, but for jobs that another process has taken already.
        DBOS._recover_pending_workflows(sorted(executors))

    def _workflow(self) -> Callable[[int, int, int], Awaitable[None]]:
        async def bring_up_to_date(repository_id: int, number: int, seq: int) -> None:
            task = asyncio.current_task()
            if self._stopping or task is None:
                raise asyncio.CancelledError  # leaves the job pending, for another process
            job = Job(key=PullKey(repository_id=repository_id, number=number), seq=seq)
            self._running[job.id] = task
            try:
                await self._bring_up_to_date(job)
            finally:
                self._running.pop(job.id, None)
                self._ended.set()

        return bring_up_to_date

    async def _bring_up_to_date(self, job: Job) -> None:
        def take(connection: sa.Connection) -> tuple[int, Claim, Labels] | None:
            attempt, labels = pulls.take(connection, job), overview.labels(connection, job)
            if attempt is None or labels is None:
                return None
            return attempt, claims.take(connection, job.key, self._database.process), labels

        begun = time.monotonic()
        taken = await self._database.transact(take)
        if taken is None:
            return
        attempt, claim, labels = taken
        with about(
            job=job.id,
            delivery=labels.delivery,
            repository=labels.repository,
            number=job.key.number,
            installation=labels.installation_id,
        ):
            ending = await self._attempt(job, attempt, claim)
        self._watch.attempted(job.key, ending, took=timedelta(seconds=time.monotonic() - begun))

    async def _attempt(self, job: Job, attempt: int, claim: Claim) -> Ending:
        if attempt > len(self._retry_delays) + 1:  # the process itself died each time
            failure = Failure(error="ProcessDied", request_id=_request_id())
            return await self._end_as_failed(job, claim, failure)
        try:
            await self._work(claim)
        except RetryLater as later:
            await self._again(job, later.delay, covers_wakes=later.covers_wakes, counts=False)
            return Ending.LIMITED
        except Exception as error:
            failure = Failure(error=type(error).__name__, request_id=_request_id())
            log.exception("job %s failed, attempt %d, %s", job.id, attempt, failure.request_id)
            if attempt > len(self._retry_delays):
                return await self._end_as_failed(job, claim, failure)
            delay = self._retry_delays[attempt - 1]
            await self._again(job, delay, covers_wakes=False, failure=failure)
            return Ending.RETRIED
        await self._end(job)
        return Ending.DONE

    async def _again(
        self,
        job: Job,
        delay: timedelta,
        *,
        covers_wakes: bool,
        counts: bool = True,
        failure: Failure | None = None,
    ) -> None:
        def put_next(connection: sa.Connection) -> None:
            following = pulls.follow_up(
                connection,
                job,
                covers_wakes=covers_wakes,
                counts=counts,
                due_ms=now_ms() + delay // timedelta(milliseconds=1),
                failure=failure,
            )
            if following is not None:
                self._queue.put(connection, following, delay=delay)

        await self._database.transact(put_next)

    async def _end_as_failed(self, job: Job, claim: Claim, failure: Failure) -> Ending:
        """Give a job up; while that fails too, put it back: a check must not wait for ever.

        The pauses grow as long as the trouble has lasted, so they double.
        """
        try:
            await self._give_up(claim, failure)
        except RetryLater as later:
            await self._again(
                job,
                later.delay,
                covers_wakes=later.covers_wakes,
                counts=False,
                failure=failure,
            )
            return Ending.LIMITED
        except Exception:
            log.exception("job %s: giving up failed too, %s", job.id, failure.request_id)
            woken_ms = await self._database.transact(lambda c: pulls.woken_ms(c, job.key))
            lasted = timedelta(milliseconds=max(0, now_ms() - woken_ms))
            pause = min(lasted, LONGEST_PAUSE)
            await self._again(job, pause, covers_wakes=False, counts=False, failure=failure)
            return Ending.RETRIED
        await self._end(job, failure)
        return Ending.GIVEN_UP

    async def _end(self, job: Job, failure: Failure | None = None) -> None:
        ended = now_ms()
        received = await self._database.transact(
            lambda connection: pulls.finish(connection, job, now_ms=ended, failure=failure)
        )
        self._watch.settled(
            job.key, [timedelta(milliseconds=max(0, ended - ms)) for ms in received]
        )


def _request_id() -> str:
    return secrets.token_hex(6)


async def _in_thread(act: Callable[[], None]) -> None:
    """Run act beside the event loop, on a thread that is not dbos's."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def run() -> None:
        try:
            act()
        finally:
            loop.call_soon_threadsafe(done.set_result, None)

    threading.Thread(target=run, name="stop").start()
    await done
