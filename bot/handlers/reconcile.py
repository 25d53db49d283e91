"""The comparison with GitHub, on start and every few minutes: what was lost is set going.

Deliveries that never reached us are asked for again. Pull requests and merge queues' groups whose
head lacks a finished check run of ours get a job, and jobs write the difference only: so waking one
for nothing does no harm. One process at a time compares, under a lease, and keeps how far it is.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from bot.core.errors import GitHubError
from bot.github.installation import GitHubApp
from bot.handlers.lacking_verdicts import LackingVerdicts
from bot.handlers.lost_deliveries import LostDeliveries
from bot.handlers.round import LeaseLost, Round, ms
from bot.jobs.queue import now_ms
from bot.store import reconciliation as stored
from bot.store.database import Database
from bot.store.work import News

log = logging.getLogger(__name__)

_SOON: Final = timedelta(minutes=1)  # to the next round, when one left something or was another's
_AT_START: Final = 5.0  # seconds for the web server, to which deliveries come again


class Reconciler:
    """Compares with GitHub, while no other process does."""

    def __init__(
        self,
        *,
        github: GitHubApp,
        database: Database,
        hear: Callable[[Sequence[News]], Awaitable[None]],
        every: timedelta,
        retention: timedelta,
    ) -> None:
        """hear: makes durable what news wakes. retention: how long deliveries are remembered."""
        self._database, self._every = database, every
        # One process works on a SQLite file, so a lease that it left is its successor's.
        is_alone = database.url.get_backend_name() == "sqlite"
        self._holder = "the only one" if is_alone else secrets.token_hex(8)
        self._lost = LostDeliveries(github=github, retention=retention)
        self._lacking = LackingVerdicts(github=github, hear=hear, every=every)

    async def run(self) -> None:
        """Compare for ever, the first time soon."""
        await asyncio.sleep(_AT_START * (1 + random.random()))  # noqa: S311 - no secret
        after = timedelta(0)
        while True:
            done = None
            try:
                done = await self.compare(after=after)
            except Exception:
                log.exception("comparing with GitHub failed; it is done again")
            after = _SOON if done is not None and done.more else self._every
            # Another process that is at it may die, and then somebody has to go on.
            pause = min(_SOON, after) if done is None else after
            await asyncio.sleep(pause / timedelta(seconds=1))

    async def compare(self, *, after: timedelta = timedelta(0)) -> Round | None:
        """One round; None while another process is at it, or when one ended less than after ago."""
        latest = now_ms() - ms(after) * 9 // 10  # those who wait as long need not do so to the ms
        begin = partial(stored.begin, holder=self._holder, ended_before_ms=latest, now_ms=now_ms())
        if not await self._database.transact(begin):
            return None
        done, is_over = Round(database=self._database, holder=self._holder), False
        try:
            for part in (self._lost.ask_again, self._lacking.wake):
                try:
                    await part(done)
                except GitHubError as error:
                    log.warning("comparing with GitHub: %s", error)
                    done.more = True
            is_over = True
        except LeaseLost:
            log.warning("comparing with GitHub took too long; another process goes on")
        finally:  # also when this process is to stop
            end = partial(stored.end, holder=self._holder, is_over=is_over, now_ms=now_ms())
            await self._database.transact(end)
        if done.redelivered or done.woken:
            log.info(
                "compared with GitHub: asked for %d deliveries again, set %d jobs going%s",
                done.redelivered,
                done.woken,
                "; more is left for the next round" if done.more else "",
            )
        return done
