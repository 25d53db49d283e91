"""Two jobs and one head, in one process and in two; tests/handlers/test_pull.py has the rest."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.store import executors
from bot.store.database import Database
from bot.store.heads import Heads
from tests.databases import Databases

HEAD = (7, "a" * 40)


@pytest.fixture
def pair(databases: Databases) -> Iterator[tuple[Database, Database]]:
    """The databases of two processes that live."""
    with databases.fresh("postgresql") as url:
        pair = Database(url), Database(url)
        for one in pair:
            with one.engine.begin() as connection:
                executors.beat(connection, one.process, silence=timedelta(hours=1))
        yield pair
        for one in pair:
            one.close()


class Job:
    """Holds HEAD from `inside` until it may `leave`."""

    def __init__(self, heads: Heads) -> None:
        self.inside, self.leave = asyncio.Event(), asyncio.Event()
        self.done = asyncio.create_task(self._run(heads))

    async def _run(self, heads: Heads) -> None:
        async with heads.held(*HEAD):
            self.inside.set()
            await self.leave.wait()


def _rows(database: Database) -> int:
    with database.engine.connect() as connection:
        rows: int = connection.exec_driver_sql("SELECT COUNT(*) FROM held_heads").scalar_one()
    return rows


async def test_a_head_that_another_process_holds_is_waited_for(
    pair: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    refused, hold, loop = asyncio.Event(), executors.hold, asyncio.get_running_loop()

    def watched(connection: sa.Connection, executor: str, repository_id: int, sha: str) -> bool:
        held = hold(connection, executor, repository_id, sha)
        if not held:
            loop.call_soon_threadsafe(refused.set)
        return held

    monkeypatch.setattr(executors, "hold", watched)
    async with asyncio.timeout(20):
        holder = Job(Heads(first))
        await holder.inside.wait()
        waiting = Job(Heads(second))
        await refused.wait()
        assert not waiting.inside.is_set()
        holder.leave.set()
        await waiting.inside.wait()
        waiting.leave.set()
        await asyncio.gather(holder.done, waiting.done)
    assert _rows(first) == 0


async def test_what_a_dead_process_held_is_free(pair: tuple[Database, Database]) -> None:
    first, second = pair
    async with asyncio.timeout(20):
        holder = Job(Heads(first))
        await holder.inside.wait()
        with second.engine.begin() as connection:
            executors.leave(connection, first.process)
        other = Job(Heads(second))
        await other.inside.wait()
        holder.leave.set()
        await holder.done
        assert _rows(second) == 1  # it is no longer the first one's to give back
        other.leave.set()
        await other.done


async def test_a_release_that_fails_is_tried_again(
    pair: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    release, failures = executors.release, [sa.exc.OperationalError("", {}, Exception())]

    def fail_once(connection: sa.Connection, executor: str, repository_id: int, sha: str) -> None:
        if failures:
            raise failures.pop()
        release(connection, executor, repository_id, sha)

    monkeypatch.setattr(executors, "release", fail_once)
    async with Heads(pair[0]).held(*HEAD):
        assert _rows(pair[1]) == 1
    assert _rows(pair[1]) == 0
    assert failures == []
