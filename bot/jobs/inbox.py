"""Makes deliveries durable: many callers, one writer, one commit for all that wait.

A commit to disk costs milliseconds however much it holds, and SQLite takes one writer at a time. So
one thread gathers whatever has come meanwhile and commits it together. On PostgreSQL the threads of
several processes take turns: their batches name the same pull requests, in any order.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from bot.store.database import Database
from bot.store.deliveries import NotDurableError

MAX_BATCH: Final = 128  # writes a transaction
MAX_WAITING: Final = 10_000  # writes; beyond, the sender is told to come again
# Seconds between transactions. Without it a flood of deliveries holds SQLite's one connection so
# tightly that jobs stand still: 1 a second instead of 25, for at most as many deliveries. What
# comes meanwhile shares a transaction; what comes later does not wait.
_PAUSE: Final = 0.002

Write = Callable[[sa.Connection], bool]


class Inbox:
    """Runs writes in order, several a transaction; a caller hears when its own is on disk.

    All callers are on one event loop.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: queue.Queue[_Item | None] = queue.Queue(maxsize=MAX_WAITING)
        self._writer = threading.Thread(target=self._run, name="inbox", daemon=True)
        self._writer.start()

    async def write(self, write: Write) -> bool:
        """What write returned, once its transaction is committed.

        write may run twice: a transaction that fails is rolled back and its writes are tried one by
        one, so that a bad one hurts no other. Raises NotDurableError when it is not committed.
        """
        item = _Item(write, asyncio.get_running_loop().create_future())
        try:
            self._waiting.put_nowait(item)
        except queue.Full:
            raise NotDurableError("too many deliveries are waiting to be written") from None
        return await item.result

    def close(self) -> None:
        """Commit what is waiting, then stop."""
        self._waiting.put(None)
        self._writer.join()

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch = [self._waiting.get()]
            while len(batch) < MAX_BATCH and not self._waiting.empty():
                batch.append(self._waiting.get())
            is_open = None not in batch
            self._commit([item for item in batch if item is not None])
            time.sleep(_PAUSE)

    def _commit(self, batch: Sequence["_Item"]) -> None:
        def write_all(connection: sa.Connection) -> list[bool]:
            self._database.line_up(connection)
            return [item.write(connection) for item in batch]

        try:
            results: list[bool | Exception] = [*self._database.transact_here(write_all)]
        except Exception as error:  # whatever it was, each caller must hear of it
            if len(batch) > 1:
                for item in batch:
                    self._commit([item])
                return
            results = [error]
        if batch:
            _tell(batch, results)


@dataclass(frozen=True, slots=True)
class _Item:
    """A write, and where its caller waits. A caller that went away does not undo the write."""

    write: Write
    result: asyncio.Future[bool]


def _tell(batch: Sequence[_Item], results: Sequence[bool | Exception]) -> None:
    """Wake the callers of a batch, all at once: to wake an event loop costs more than to go on."""

    def tell() -> None:
        for item, result in zip(batch, results, strict=True):
            if item.result.done():  # its caller went away
                continue
            if isinstance(result, Exception):
                name = type(result).__name__
                failure = NotDurableError(f"the database did not take it: {name}")
                failure.__cause__ = result
                item.result.set_exception(failure)
            else:
                item.result.set_result(result)

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
        batch[0].result.get_loop().call_soon_threadsafe(tell)
