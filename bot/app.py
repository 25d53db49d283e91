"""The one place that puts the bot together: settings in, a web application out."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from starlette.applications import Starlette

from bot.commands.grammar import NAMES
from bot.core.errors import GitHubError
from bot.github.client import Timing
from bot.github.installation import GitHubApp
from bot.github.pacing import Pacing
from bot.handlers.command_context import Contexts
from bot.handlers.commands import CommandJobs
from bot.handlers.histories import Histories
from bot.handlers.indexes import Indexes
from bot.handlers.jobs import Jobs
from bot.handlers.loading import Loader
from bot.handlers.pull import PullJobs
from bot.handlers.reconcile import Reconciler
from bot.handlers.registry import EVENTS
from bot.handlers.repository_jobs import RepositoryJobs
from bot.handlers.settling import Settling
from bot.handlers.showing import Showing
from bot.jobs.engine import Engine
from bot.jobs.worker import RETRY_DELAYS
from bot.metrics import CONTENT_TYPE, Metrics
from bot.settings import Settings
from bot.store.database import Database
from bot.store.heads import Heads
from bot.store.work import News
from bot.web.private import create_private, serving
from bot.web.server import create_web

log = logging.getLogger(__name__)

_MINUTE: Final = timedelta(minutes=1)
_ASK_AGAIN: Final = _MINUTE  # whether GitHub still refuses us


class Bot:
    """A bot that is ready to be served. One of them can run in a process.

    web: the ASGI application; its lifespan starts the engine and stops it. jobs: what that runs.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        timing: Timing | None = None,
        retry_delays: tuple[timedelta, ...] = RETRY_DELAYS,
        private: Sequence[socket.socket] = (),
        compares: bool = True,
        takes_jobs: bool = True,
    ) -> None:
        """timing: the clock for what is between GitHub and us. retry_delays: of failing jobs.
        private: where the operator alone may ask (bot/web/private.py). compares: with GitHub, by
        itself; else only when the reconciler is asked to. takes_jobs: else other processes do.

        Raises SettingsError when the database is in use or the private key is unusable.
        """
        self.metrics = Metrics(events=EVENTS)
        self.github = GitHubApp(
            app_id=str(settings.app_id),
            private_key=settings.private_key,
            api_url=settings.github_url,
            timing=timing or Timing(pacing=_pacing(settings)),
            observe=self.metrics.requested,
        )
        self.database = Database(settings.database_url)
        names = (*NAMES, *filter(None, [settings.command_alias]))
        loader = Loader(
            database=self.database,
            histories=Histories(database=self.database),
            fingerprint_key=settings.fingerprint_key,
        )
        indexes = Indexes(settings.index_megabytes << 20)
        showing = Showing(database=self.database)
        self.jobs = Jobs(
            github=self.github,
            database=self.database,
            of_pulls=PullJobs(
                github=self.github,
                database=self.database,
                loader=loader,
                indexes=indexes,
                heads=Heads(self.database),
                showing=showing,
                commands=CommandJobs(
                    loader=loader,
                    contexts=Contexts(database=self.database, indexes=indexes),
                    settling=Settling(database=self.database),
                    showing=showing,
                    pause=min(retry_delays, default=timedelta(0)),
                    wake=self._wake,
                    names=names,
                ),
            ),
            of_repositories=RepositoryJobs(
                github=self.github,
                database=self.database,
                loader=loader,
                indexes=indexes,
                wake=self._wake,
            ),
        )
        self.engine = Engine(
            self.database,
            work=self.jobs.bring_up_to_date,
            give_up=self.jobs.give_up,
            workers=settings.workers,
            retention=settings.retention,
            retry_delays=retry_delays,
            watch=self.metrics,
            takes_jobs=takes_jobs,
        )
        self._ready_queue, self._private = settings.ready_queue, private
        self.reconciler = Reconciler(
            github=self.github,
            database=self.database,
            hear=self._wake,
            every=settings.reconcile_every,
            retention=settings.retention,
        )
        self._compares = compares
        self.web: Starlette = create_web(
            ingest=self.engine.receive,
            secrets=settings.webhook_secrets,
            names=names,
            hindrance=self._hindrance,
            lifespan=lambda _web: self.running(),
            observe=self.metrics.delivered,
        )
        self.private: Starlette = create_private(
            figures=self.figures, content_type=CONTENT_TYPE, hindrance=self._hindrance
        )

    async def _wake(self, news: Sequence[News]) -> None:
        await self.engine.wake(*news)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Take jobs and deliveries until the block ends; once, then everything is closed."""
        beside = [asyncio.create_task(self._greet_while_refused())]
        try:
            async with self.engine, serving(self.private, self._private):
                if self._compares:
                    beside.append(asyncio.create_task(self.reconciler.run()))
                yield
                await _end(beside)
        finally:
            await _end(beside)
            await self.github.aclose()
            self.database.close()

    async def greet(self) -> None:
        """Ask GitHub who we are, so that a wrong id or key shows before the first event."""
        try:
            identity = await self.github.credentials.prove()
        except GitHubError as error:
            if refusal := self._refusal():
                log.error("%s. Nothing can be reviewed until that is mended", refusal)  # noqa: TRY400 - no bug
            else:
                log.warning("GitHub cannot be asked who this app is: %s", error)
        else:
            log.info("GitHub knows this app as %s", identity.slug)

    async def _greet_while_refused(self) -> None:
        """Ask GitHub, and again as long as it refuses us: else who only receives never hears."""
        await self.greet()
        while True:
            await asyncio.sleep(_ASK_AGAIN / timedelta(seconds=1))
            if self.github.credentials.refusal:
                await self.greet()

    async def _hindrance(self) -> str:
        if not self.engine.is_taking_jobs:
            return "no jobs are being taken"
        backlog = await self.engine.backlog()
        if backlog is None:
            return "the database does not answer"
        oldest = timedelta(milliseconds=backlog.oldest_ms)
        if oldest > self._ready_queue:
            return (
                f"the oldest of {backlog.waiting + backlog.running} jobs that wait or run has been "
                f"due for {oldest // _MINUTE} minutes; memoryrail-bot jobs list shows them"
            )
        return self._refusal()

    async def figures(self) -> bytes:
        """What Prometheus fetches."""
        rates = {id_: one.rates for id_, one in self.github.installations.items()}
        return self.metrics.text(await self.engine.backlog(), rates)

    def _refusal(self) -> str:
        """What the operator has to mend when GitHub refuses our credentials; else ""."""
        refusal = self.github.credentials.refusal
        return refusal and (
            f"GitHub refuses the app's credentials: {refusal}. "
            "See MEMORYRAIL_APP_ID and MEMORYRAIL_PRIVATE_KEY_FILE"
        )


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _pacing(settings: Settings) -> Pacing:
    """How fast an installation may write."""
    return Pacing(
        between=settings.seconds_between_writes,
        per_minute=settings.writes_a_minute or None,
        per_hour=settings.writes_an_hour or None,
    )
