"""Several processes on one database, which is PostgreSQL's."""

import asyncio
import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.jobs.engine import Engine
from bot.store.database import Database
from bot.store.deliveries import Outcome
from bot.store.pulls import PullKey
from tests.databases import Databases
from tests.jobs.conftest import HOUR, Bench, Work, delivery, wake
from tests.jobs.test_restart import SILENCE, victim


@pytest.fixture
def url(databases: Databases) -> Iterator[str]:
    with databases.fresh("postgresql") as url:
        yield url


@pytest.fixture
def elsewhere(url: str) -> Iterator[Database]:
    """The database as another process sees it."""
    database = Database(url)
    yield database
    database.close()


def receiver(database: Database) -> Engine:
    """The engine of a process that only receives."""
    work = Work()
    return Engine(database, work=work, give_up=work.give_up, takes_jobs=False)


async def test_the_jobs_of_a_process_that_was_killed_are_taken_over(bench: Bench, url: str) -> None:
    async with victim(url, "begun") as other, bench.engine(silence=SILENCE) as engine:
        await engine.beat()
        assert bench.work.runs == {}
        other.kill()
        await engine.idle()
    assert bench.work.runs == {1: 1}
    assert await bench.outcome("one") is Outcome.DONE


async def test_the_jobs_of_a_process_that_lives_are_let_be(bench: Bench, url: str) -> None:
    async with victim(url, "begun"), bench.engine(silence=HOUR) as engine:
        before = await bench.database.transact(_held)
        await engine.beat()
        assert await bench.database.transact(_held) == before
    assert [status for _, status in before] == ["PENDING"]


def _held(connection: sa.Connection) -> list[tuple[str, str]]:
    """The process and the state of each job."""
    rows = connection.exec_driver_sql("SELECT executor_id, status FROM dbos.workflow_status")
    return [tuple(row) for row in rows]


async def test_a_process_that_ends_leaves_its_jobs_to_the_others(
    bench: Bench, elsewhere: Database
) -> None:
    """At once: nobody waits until it counts as dead."""

    async def wait(_key: PullKey) -> None:
        await asyncio.Future()

    bench.work.act = wait
    async with bench.engine(silence=HOUR) as engine:
        await engine.wake(wake())
        await bench.work.until(1)
        await engine.stop(grace=timedelta(0))
    bench.work.act = None
    other = Bench(elsewhere, bench.work)
    async with other.engine(silence=HOUR) as engine:
        await engine.beat()
        await engine.idle()
    assert bench.work.runs == {1: 2}


async def test_a_job_that_another_process_has_taken_over_is_broken_off(
    bench: Bench, elsewhere: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """As after a process, or its way to the database, stood still for too long."""
    ended = asyncio.Event()

    async def wait(_key: PullKey) -> None:
        try:
            await asyncio.Future()
        finally:
            ended.set()

    bench.work.act = wait
    async with bench.engine(silence=HOUR) as engine:
        await engine.wake(wake())
        await bench.work.until(1)
        with elsewhere.engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM executors")
            connection.exec_driver_sql("UPDATE dbos.workflow_status SET executor_id = 'other'")
        await engine.beat()
        await ended.wait()
        assert await bench.outcome("one") is None
        with elsewhere.engine.begin() as connection:  # it was not the other's either
            connection.exec_driver_sql(
                "UPDATE dbos.workflow_status SET executor_id = 'dead' WHERE status = 'PENDING'"
            )
        bench.work.act = None
        await engine.beat()
        await engine.idle()
    assert "7:1:1 was taken over by another process" in caplog.text
    assert "taking over the jobs of dead" in caplog.text
    assert bench.work.runs == {1: 2}


async def test_one_process_receives_and_another_works(bench: Bench, elsewhere: Database) -> None:
    async with receiver(elsewhere) as web:
        assert web.is_taking_jobs
        assert await web.receive(delivery("one"), [wake()])
        assert [job.seq for job in await web.unfinished()] == [1]
        async with bench.engine():
            await web.idle()
        assert bench.work.runs == {1: 1}
        assert await bench.outcome("one") is Outcome.DONE
    assert not web.is_taking_jobs


async def test_a_delivery_that_comes_to_two_processes_at_once_makes_one_job(
    bench: Bench, elsewhere: Database
) -> None:
    both = Database(elsewhere.url.render_as_string(hide_password=False))
    async with receiver(elsewhere) as one, receiver(both) as other:
        for count in range(10):
            guid, wakes = f"{count}", [wake(count), wake(count + 1)]
            acted = await asyncio.gather(
                one.receive(delivery(guid), wakes), other.receive(delivery(guid), wakes[::-1])
            )
            assert sorted(acted) == [False, True]
        async with bench.engine() as engine:
            await engine.idle()
    both.close()
    assert bench.work.runs == dict.fromkeys(range(11), 1)


@pytest.fixture(autouse=True)
def _log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot")
