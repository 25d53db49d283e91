import asyncio
import threading
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from bot.jobs.inbox import MAX_BATCH, MAX_WAITING, Inbox, Write
from bot.store.database import Database
from bot.store.deliveries import NotDurableError


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    with database.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE kept (value INTEGER PRIMARY KEY)")
    yield database
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE kept")
    database.close()


@pytest.fixture
def inbox(database: Database) -> Iterator[Inbox]:
    inbox = Inbox(database)
    yield inbox
    inbox.close()


def _insert(value: int) -> Write:
    def write(connection: sa.Connection) -> bool:
        connection.execute(sa.text("INSERT INTO kept VALUES (:value)"), {"value": value})
        return value % 2 == 0

    return write


def _kept(database: Database) -> list[int]:
    with database.engine.begin() as connection:
        return list(connection.exec_driver_sql("SELECT value FROM kept ORDER BY 1").scalars())


async def _held_up(inbox: Inbox, release: threading.Event) -> "asyncio.Task[bool]":
    """A write that keeps the writer busy until release, so that others gather behind it."""
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def write(_connection: sa.Connection) -> bool:
        loop.call_soon_threadsafe(begun.set)
        return release.wait()

    task = asyncio.create_task(inbox.write(write))
    await begun.wait()
    return task


async def _behind(inbox: Inbox, writes: list[Write]) -> list[bool | BaseException]:
    """What came of writes that all waited together."""
    release = threading.Event()
    first = await _held_up(inbox, release)
    waiting = [asyncio.create_task(inbox.write(write)) for write in writes]
    await asyncio.sleep(0)  # each task puts its write into the queue
    release.set()
    await first
    return await asyncio.gather(*waiting, return_exceptions=True)


async def test_what_write_returned_comes_back_once_it_is_on_disk(
    inbox: Inbox, database: Database
) -> None:
    assert await inbox.write(_insert(2)) is True
    assert await inbox.write(_insert(3)) is False
    assert _kept(database) == [2, 3]


async def test_writes_that_wait_together_are_committed_together(
    inbox: Inbox, database: Database
) -> None:
    commits = 0

    def count(_connection: object) -> None:
        nonlocal commits
        commits += 1

    sa.event.listen(database.engine, "commit", count)
    await _behind(inbox, [_insert(value) for value in range(MAX_BATCH)])
    assert commits == 2
    assert len(_kept(database)) == MAX_BATCH


async def test_a_bad_write_hurts_no_other(inbox: Inbox, database: Database) -> None:
    results = await _behind(inbox, [_insert(1), _insert(1), _insert(2)])
    assert results[0] is False
    assert isinstance(results[1], NotDurableError)
    assert results[2] is True
    assert _kept(database) == [1, 2]


async def test_a_caller_that_went_away_does_not_undo_its_write(
    inbox: Inbox, database: Database
) -> None:
    release = threading.Event()
    first = await _held_up(inbox, release)
    gone = asyncio.create_task(inbox.write(_insert(1)))
    await asyncio.sleep(0)
    gone.cancel()
    release.set()
    await first
    assert await inbox.write(_insert(2))
    assert _kept(database) == [1, 2]


async def test_too_many_waiting_writes_are_refused_at_once(inbox: Inbox) -> None:
    results = await _behind(inbox, [lambda _connection: True] * (MAX_WAITING + 1))
    refused = [result for result in results if isinstance(result, NotDurableError)]
    assert len(refused) == 1


async def test_closing_commits_what_waits(database: Database) -> None:
    inbox = Inbox(database)
    waiting = [asyncio.create_task(inbox.write(_insert(value))) for value in range(5)]
    await asyncio.sleep(0)
    inbox.close()
    await asyncio.gather(*waiting)
    assert _kept(database) == list(range(5))
