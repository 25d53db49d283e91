"""The engine's few verbs: receive a delivery, wake a pull request, wait until idle, start, stop."""

import asyncio
import functools
import logging
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final, Self

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs.inbox import Inbox
from bot.jobs.queue import Queue, now_ms
from bot.jobs.watch import Watch
from bot.jobs.worker import RETRY_DELAYS, GiveUp, Work, Worker
from bot.store import deliveries, executors, pulls
from bot.store.commands import WaitingCommand
from bot.store.database import Database
from bot.store.deliveries import Delivery
from bot.store.overview import Backlog, backlog
from bot.store.pulls import Job
from bot.store.work import News

log = logging.getLogger(__name__)

GRACE: Final = timedelta(seconds=10)  # for running jobs when the process is told to stop
_SECONDS_TO_ANSWER: Final = 5  # for a database that is asked how much waits
SWEEP_EVERY: Final = timedelta(minutes=1)
SILENCE: Final = timedelta(seconds=20)  # after which a process counts as dead
_BEATS: Final = 8  # in that time


class Engine:
    """The inbox, the queue and the worker over one database.

    `async with Engine(database, work=…, give_up=…) as engine:` starts it and stops it. On
    PostgreSQL any number of processes have one each; when one dies, the others do its jobs.
    """

    def __init__(
        self,
        database: Database,
        *,
        work: Work,
        give_up: GiveUp,
        workers: int = 4,
        poll: timedelta = timedelta(seconds=0.1),
        retention: timedelta = timedelta(days=14),
        retry_delays: tuple[timedelta, ...] = RETRY_DELAYS,
        watch: Watch | None = None,
        silence: timedelta = SILENCE,
        takes_jobs: bool = True,
    ) -> None:
        """work: bring a pull request up to date; doing so twice must change nothing.
        give_up: work failed for good; tell the pull request.
        workers: jobs at a time. poll: how often to look for a job that waits.
        retention: how long ended deliveries and jobs are kept.
        retry_delays: pauses after failures; after one failure more the job is given up.
        watch: hears how jobs go.
        silence: how long a process may not be heard of before its jobs are taken over.
        takes_jobs: False leaves the jobs to other processes, which only PostgreSQL allows.

        Raises SettingsError when another process works on the same SQLite file.
        """
        database.claim()
        self._silence, self._takes_jobs = silence, takes_jobs
        self._database = database
        self._retention = retention
        self._queue = Queue(database, workers=workers, poll=poll)
        self._inbox = Inbox(database)
        self._worker = Worker(
            database,
            self._queue,
            work=work,
            give_up=give_up,
            retry_delays=retry_delays,
            watch=watch,
        )
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._is_running = False
        self._asked: asyncio.Task[Backlog] | None = None

    async def __aenter__(self) -> Self:
        await self._database.off_the_loop(self._queue.open)
        if self._takes_jobs:
            await self._join()
            self._tasks = (asyncio.create_task(self._sweep_for_ever()),)
            if self._database.is_shared:
                self._tasks += (asyncio.create_task(self._beat_for_ever()),)
        self._is_running = True
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self, *, grace: timedelta = GRACE) -> None:
        """Write down what has come, let running jobs end within grace, hand back the rest."""
        if not self._is_running:
            return
        self._is_running = False
        if self._takes_jobs:
            await self._worker.stop(grace=grace)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._database.is_shared:
                await self._leave()
        self._inbox.close()
        self._queue.close()

    async def receive(
        self,
        delivery: Delivery,
        news: Sequence[News] = (),
        command: WaitingCommand | None = None,
    ) -> bool:
        """Make a delivery and the jobs that follow from it durable, then return.

        False when it came before and was dealt with. Raises NotDurableError when it is not kept.
        """
        return await self._inbox.write(
            lambda connection: self._queue.accept(connection, delivery, news, command)
        )

    async def wake(self, *news: News) -> None:
        """Have what is concerned brought up to date, without a delivery. Raises NotDurableError."""

        def write(connection: sa.Connection) -> bool:
            for one in news:
                self._queue.hear(connection, one)
            return True

        await self._inbox.write(write)

    async def idle(self) -> None:
        """Wait until no job is queued, delayed or running."""
        await self._worker.idle()

    @property
    def is_taking_jobs(self) -> bool:
        """Whether it runs, and has not been told to stop."""
        return self._is_running and not any(task.done() for task in self._tasks)

    async def backlog(self) -> Backlog | None:
        """How much waits, and since when; None when the database does not answer.

        A question that is still open when the next one is asked is shared, so that a database that
        keeps silent does not gather them.
        """
        if self._asked is None or self._asked.done():
            self._asked = asyncio.create_task(
                self._database.transact(lambda connection: backlog(connection, now_ms=now_ms()))
            )
        try:
            async with asyncio.timeout(_SECONDS_TO_ANSWER):
                return await asyncio.shield(self._asked)
        except (SQLAlchemyError, TimeoutError):
            return None

    async def unfinished(self) -> tuple[Job, ...]:
        """The newest job of each pull request that has one waiting or running."""
        return await self._database.transact(pulls.unfinished)

    async def sweep(self) -> None:
        """Queue anew what dbos dropped, and forget what ended long ago."""
        jobs = await self.unfinished()
        for job in await self._database.off_the_loop(lambda: self._queue.lost(jobs)):
            if await self._database.transact(functools.partial(self._replace, job)):
                log.warning("job %s was lost; its pull request is queued again", job.id)
        await self._database.transact(
            lambda connection: deliveries.forget(
                connection, now_ms=now_ms(), retention=self._retention
            )
        )
        while await self._database.off_the_loop(
            lambda: self._queue.forget(retention=self._retention)
        ):
            pass

    def _replace(self, job: Job, connection: sa.Connection) -> bool:
        """Queue a job in place of a lost one; False when that one has ended after all."""
        following = pulls.follow_up(connection, job, covers_wakes=True)
        if following is not None:
            self._queue.put(connection, following)
        return following is not None

    async def beat(self) -> None:
        """Say that this process lives, and take over the jobs of those that do not."""
        dead = await self._database.transact(self._beat)
        if dead is None:
            ids = self._worker.running
            self._worker.drop(
                await self._database.off_the_loop(lambda: self._queue.taken_from(self._me, ids))
            )
        else:
            await self._take_over(dead)

    def _beat(self, connection: sa.Connection) -> frozenset[str] | None:
        """The dead that left jobs behind; None when nobody can be told to be dead yet."""
        # Before asking who lives: else a process that has just begun could be taken for dead.
        busy = self._queue.executors(connection)
        alive = executors.beat(connection, self._me, silence=self._silence)
        return None if alive is None else busy - alive

    async def _join(self) -> None:
        """Take jobs from now on, known to be alive before the first."""
        if self._database.is_shared:
            await self._database.transact(self._beat)
            self._worker.start()
        else:  # the file is ours alone, and whoever worked on it before has ended
            before = await self._database.transact(self._queue.executors)
            self._worker.start()
            await self._take_over(before)

    async def _leave(self) -> None:
        try:
            await self._database.transact(lambda c: executors.leave(c, self._me))
        except SQLAlchemyError:
            log.exception("the other processes will notice in a while that this one has ended")

    async def _take_over(self, dead: Collection[str]) -> None:
        if dead:
            log.warning("taking over the jobs of %s", ", ".join(sorted(dead)))
            await self._database.off_the_loop(lambda: self._worker.take_over(dead))

    @property
    def _me(self) -> str:
        return self._database.process

    async def _beat_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._silence / _BEATS / timedelta(seconds=1))
            try:
                await self.beat()
            except SQLAlchemyError:
                log.exception("the database does not know that this process lives")

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self.sweep()
            except SQLAlchemyError:
                log.exception("the sweep failed; it comes again")
            await asyncio.sleep(SWEEP_EVERY / timedelta(seconds=1))
