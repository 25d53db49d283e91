"""Deliveries that GitHub sent and that we never recorded: they are asked for again, by their GUID.

Whatever was recorded is the jobs' business, and is not asked for. What does not arrive is asked for
after pauses that double, for as long as GitHub can send it.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.core.errors import GitHubError
from bot.github.delivery_log import KEPT, LogPage, read_log, redeliver
from bot.github.errors import RateLimited
from bot.github.installation import GitHubApp
from bot.handlers.registry import EVENTS
from bot.handlers.round import MARGIN, Round, ms
from bot.jobs.queue import now_ms
from bot.store import reconciliation as stored
from bot.store.reconciliation import LogProgress, LostDelivery

log = logging.getLogger(__name__)

MAX_LOG_PAGES: Final = 50  # of 100 deliveries, a round
MAX_REDELIVERED: Final = 300  # a round
MAX_FAILURES: Final = 3  # a round; one that GitHub stumbles over stops no other
MAX_PAUSES: Final = 20  # a round
SHORT: Final = timedelta(seconds=5)  # a limit that is waited for; after a longer one a round ends
_BETWEEN: Final = 0.25  # seconds from one to the next
_OVERLAP: Final = timedelta(minutes=10)  # by which entries of the log may be late, or clocks differ
# Sent with every push and for our own check runs: nothing follows from them.
_NOISE: Final = frozenset(
    [
        ("check_run", "created"),
        ("check_run", "completed"),
        ("check_suite", "requested"),
        ("check_suite", "completed"),
    ]
)


@dataclass(slots=True, kw_only=True)
class LostDeliveries:
    """Finds them and has them sent again. retention: how long we know what was recorded."""

    github: GitHubApp
    retention: timedelta
    # The first reading of a process is of all deliveries, since the database may be an older one
    # that was put back. After that, what we have acknowledged we have, and failures will do.
    only_failures: bool = False

    async def ask_again(self, done: Round) -> None:
        """Read what is new in the log; ask for what was lost. Raises GitHubError, LeaseLost."""
        await self._read_log(done)
        most = MAX_REDELIVERED
        due = partial(stored.lost, since_ms=self._oldest, now_ms=now_ms(), limit=most)
        lost = await done.transact(due)
        done.more |= len(lost) == most
        failures = pauses = 0
        for one in lost:
            await done.go_on()
            try:
                is_sent = await redeliver(self.github.credentials, one.delivery_id)
            except RateLimited as limit:
                pauses += 1
                if limit.retry_after > SHORT or pauses > MAX_PAUSES:
                    raise
                done.more = True
                await self.github.client.timing.sleep(limit.retry_after / timedelta(seconds=1))
                continue
            except GitHubError as error:
                log.warning("delivery %s was not asked for again: %s", one.guid, error)
                failures += 1
                if failures > MAX_FAILURES:
                    raise
                done.more = True
                continue
            if is_sent:
                await done.transact(partial(stored.asked_again, one=one, now_ms=now_ms()))
                done.redelivered += 1
                await self.github.client.timing.sleep(_BETWEEN)
            else:
                log.warning("delivery %s was lost and cannot be sent again", one.guid)
                await done.transact(partial(stored.forget_lost, guid=one.guid))

    async def _read_log(self, done: Round) -> None:
        at = await done.transact(stored.log_progress)
        if at.began_ms is None or (at.only_failures and not self.only_failures):
            at = LogProgress(
                read_ms=at.read_ms, began_ms=now_ms(), only_failures=self.only_failures
            )
        since = max(at.read_ms - ms(_OVERLAP), self._oldest)
        for _ in range(MAX_LOG_PAGES):
            await done.go_on()
            page = await self._page(at)
            is_through = page.cursor is None or any(
                _ms(one.delivered_at) < since for one in page.deliveries
            )
            if is_through:
                at = LogProgress(read_ms=at.began_ms or 0)
            else:
                at = replace(at, cursor=page.cursor)
            lost = tuple(_handled(page, since))
            await done.transact(partial(stored.note_page, listed=lost, progress=at))
            if is_through:
                self.only_failures = True
                return
        done.more = True

    async def _page(self, at: LogProgress) -> LogPage:
        """The page to read; the first one again where GitHub has forgotten the cursor."""
        ask = partial(read_log, self.github.credentials, only_failures=at.only_failures)
        page = await ask(cursor=at.cursor) or await ask(cursor=None)
        if page is None:
            raise GitHubError("GitHub gave no log of deliveries")
        return page

    @property
    def _oldest(self) -> int:
        return now_ms() - ms(min(KEPT, self.retention) - MARGIN)


def _handled(page: LogPage, since: int) -> Iterator[LostDelivery]:
    """Those of a page that would mean something to us, and are not older."""
    for one in page.deliveries:
        delivered = _ms(one.delivered_at)
        is_noise = one.event not in EVENTS or (one.event, one.action) in _NOISE
        if delivered >= since and not is_noise:
            yield LostDelivery(guid=one.guid, delivery_id=one.id, delivered_ms=delivered)


def _ms(time: datetime) -> int:
    return int(time.timestamp() * 1000)
