"""One round of the comparison with GitHub: the lease it holds, and what it has done so far."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final, TypeVar

import sqlalchemy as sa

from bot.jobs.queue import now_ms
from bot.store import reconciliation as stored
from bot.store.database import Database

T = TypeVar("T")

MARGIN: Final = timedelta(hours=1)  # before the end of GitHub's log of deliveries, or of ours


class LeaseLost(Exception):  # noqa: N818 - no failure: another process goes on
    """Another process holds the lease by now."""


@dataclass(slots=True, kw_only=True)
class Round:
    """What one round did. more: something is left that need not wait for long."""

    database: Database = field(repr=False)
    holder: str = field(repr=False)
    redelivered: int = 0
    woken: int = 0
    more: bool = False

    async def go_on(self) -> None:
        """Keep the lease for another step. Raises LeaseLost."""
        renew = partial(stored.renew, holder=self.holder, now_ms=now_ms())
        if not await self.database.transact(renew):
            raise LeaseLost

    async def transact(self, act: Callable[[sa.Connection], T]) -> T:
        """Run act in one transaction."""
        return await self.database.transact(act)


def ms(time: timedelta) -> int:
    """In milliseconds."""
    return time // timedelta(milliseconds=1)
