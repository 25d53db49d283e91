"""One job at a time reads and publishes for a head.

Pull requests can share a head, and so its verdicts: else what one job has read could outlast, on
the commit, what another has published since.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from sqlalchemy.exc import SQLAlchemyError

from bot.store import executors
from bot.store.database import Database

log = logging.getLogger(__name__)

_SECONDS_BETWEEN_TRIES: Final = 0.1


class Heads:
    """The heads of pull requests, each held by one job, in whichever process that runs."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._here: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def held(self, repository_id: int, head_sha: str) -> AsyncIterator[None]:
        """Hold a head for as long as the block runs, once nobody else does.

        A process that dies, or cannot reach the database for long, loses what it holds.
        """
        async with self._here.setdefault((repository_id, head_sha), asyncio.Lock()):
            if not self._database.is_shared:
                yield
                return
            me = self._database.process
            while not await self._database.transact(  # noqa: ASYNC110
                lambda connection: executors.hold(connection, me, repository_id, head_sha)
            ):
                await asyncio.sleep(_SECONDS_BETWEEN_TRIES)
            try:
                yield
            finally:
                await self._release(repository_id, head_sha)

    async def _release(self, repository_id: int, head_sha: str) -> None:
        """Left as it is, a head would stay held for as long as this process lives."""
        me = self._database.process
        while True:
            try:
                await self._database.transact(
                    lambda connection: executors.release(connection, me, repository_id, head_sha)
                )
            except SQLAlchemyError:
                log.exception("a head could not be released; it is tried again")
                await asyncio.sleep(_SECONDS_BETWEEN_TRIES)
            else:
                return
