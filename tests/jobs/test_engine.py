import asyncio
import json
import logging
import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from bot.core.errors import GitHubError, SettingsError
from bot.jobs.engine import Engine
from bot.jobs.watch import Ending
from bot.jobs.worker import RetryLater
from bot.logs import Lines, LogFormat
from bot.store import pulls, work
from bot.store.database import Database
from bot.store.deliveries import Outcome
from bot.store.pulls import HeadWake, PullKey
from bot.store.work import InstallationNews, RepositoryNews, Work, WorkKind
from tests.databases import Databases, contents
from tests.jobs.conftest import HOUR, SOON, Bench, Heard, delivery, wake
from tests.jobs.conftest import Work as JobWork


async def test_a_delivery_is_acted_on_once(bench: Bench) -> None:
    async with bench.engine() as engine:
        assert await engine.receive(delivery("one"), [wake(1, "a" * 40)])
        await engine.idle()
        assert not await engine.receive(delivery("one"), [wake(1, "a" * 40)])
        await engine.idle()
    assert bench.work.runs == {1: 1}
    assert await bench.outcome("one") is Outcome.DONE
    state = await bench.state()
    assert (state.outcome, state.head_sha, state.busy) == (Outcome.DONE, "a" * 40, False)


async def test_the_same_delivery_many_times_at_once_is_acted_on_once(bench: Bench) -> None:
    async with bench.engine() as engine:
        acted = await asyncio.gather(
            *(engine.receive(delivery("one"), [wake()]) for _ in range(20))
        )
        await engine.idle()
    assert Counter(acted) == {True: 1, False: 19}
    assert bench.work.runs == {1: 1}


async def test_a_redelivery_runs_again_when_its_first_run_failed(bench: Bench) -> None:
    async def fail(_key: PullKey) -> None:
        raise ConnectionError

    bench.work.act = fail
    async with bench.engine(retry_delays=()) as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
        assert await bench.outcome("one") is Outcome.FAILED
        bench.work.act = None
        assert await engine.receive(delivery("one"), [wake()])
        await engine.idle()
        assert await bench.outcome("one") is Outcome.DONE
        assert not await engine.receive(delivery("one"), [wake()])
    assert bench.work.runs == {1: 2}


async def test_what_comes_while_a_job_runs_becomes_one_more_job(bench: Bench) -> None:
    go_on = asyncio.Event()

    async def wait(_key: PullKey) -> None:
        await go_on.wait()

    bench.work.act = wait
    async with bench.engine() as engine:
        await engine.receive(delivery("first"), [wake()])
        await bench.work.until(1)
        for count in range(10):
            await engine.receive(delivery(f"later-{count}"), [wake(1, f"{count}" * 40)])
        go_on.set()
        await engine.idle()
    assert bench.work.runs == {1: 2}
    assert (await bench.state()).head_sha == "9" * 40
    assert await bench.outcome("later-0") is Outcome.DONE


async def test_what_comes_before_a_job_begins_is_covered_by_it(bench: Bench) -> None:
    async with bench.engine(poll=HOUR) as engine:
        for count in range(10):
            await engine.receive(delivery(f"{count}"), [wake()])
        assert [job.seq for job in await engine.unfinished()] == [1]
    async with bench.engine() as engine:
        await engine.idle()
    assert bench.work.runs == {1: 1}
    assert {await bench.outcome(f"{count}") for count in range(10)} == {Outcome.DONE}


async def test_pull_requests_are_worked_on_side_by_side(bench: Bench) -> None:
    together = asyncio.Barrier(2)

    async def meet(_key: PullKey) -> None:
        await together.wait()

    bench.work.act = meet
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake(1)])
        await engine.receive(delivery("two"), [wake(2)])
        await engine.idle()
    assert bench.work.runs == {1: 1, 2: 1}


async def test_one_pull_request_is_never_worked_on_twice_at_once(bench: Bench) -> None:
    now: Counter[PullKey] = Counter()
    most = 0

    async def count(key: PullKey) -> None:
        nonlocal most
        now[key] += 1
        most = max(most, now[key])
        await engine.wake(wake(key.number))  # the next job waits while this one goes on
        await asyncio.sleep(0.05)
        now[key] -= 1
        if bench.work.runs[key.number] >= 4:
            bench.work.act = None

    bench.work.act = count
    async with bench.engine() as engine:
        await engine.wake(wake())
        await engine.idle()
    assert bench.work.runs[1] >= 5
    assert most == 1


async def test_a_delivery_for_several_pull_requests_wakes_each(bench: Bench) -> None:
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake(number) for number in (1, 2, 3)])
        await engine.idle()
    assert bench.work.runs == {1: 1, 2: 1, 3: 1}
    assert await bench.outcome("one") is Outcome.DONE


async def test_news_of_a_repository_waits_for_its_own_job(bench: Bench) -> None:
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake(1)])
        news = RepositoryNews(
            repository_id=7,
            installation_id=6,
            repository="octo/dog",
            work=(Work(kind=WorkKind.WAKE),),
        )
        await engine.receive(delivery("two"), [news])
        await engine.idle()
    assert bench.work.runs == {0: 1, 1: 1}
    assert await bench.outcome("two") is Outcome.DONE
    for number in (0, 1):
        state = await bench.state(number)
        assert (state.repository, state.installation_id) == ("octo/dog", 6)
    left = await bench.database.transact(lambda connection: work.waiting(connection, 7))
    assert [one.work.kind for one in left] == [WorkKind.WAKE]  # the job forgets what it has done


async def test_a_head_that_was_never_heard_of_is_looked_for(bench: Bench) -> None:
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake(1, "a" * 40)])
        await engine.idle()
        for guid, head in (("two", "a" * 40), ("three", "b" * 40)):
            wanted = HeadWake(
                repository_id=7, installation_id=5, repository="octo/cat", head_sha=head
            )
            await engine.receive(delivery(guid), [wanted])
            await engine.idle()
    assert bench.work.runs == {0: 1, 1: 2}
    (left,) = await bench.database.transact(lambda connection: work.waiting(connection, 7))
    assert left.work == Work(kind=WorkKind.WAKE, head_sha="b" * 40)


async def test_a_head_that_comes_to_be_shared_has_no_verdict_that_counts(bench: Bench) -> None:
    async with bench.engine() as engine:
        for guid, number, head in (("one", 1, "a"), ("two", 2, "b"), ("three", 2, "b")):
            await engine.receive(delivery(guid), [wake(number, head * 40)])
        assert [(await bench.state(number)).unsettled_ms for number in (1, 2)] == [None, None]
        await engine.receive(delivery("four"), [wake(2, "a" * 40)])
        since = [(await bench.state(number)).unsettled_ms for number in (1, 2)]
        assert None not in since
        assert since[0] == since[1]
        await bench.database.transact(
            lambda connection: connection.execute(
                sa.text("UPDATE pull_states SET unsettled_ms = NULL")
            )
        )
        await engine.receive(delivery("five"), [wake(1, "a" * 40)])
        assert (await bench.state(2)).unsettled_ms is None
        await engine.receive(delivery("six"), [replace(wake(1, "a" * 40), rejoins=True)])
        assert (await bench.state(2)).unsettled_ms is not None
        await engine.idle()


async def test_news_without_work_wakes_nobody(bench: Bench) -> None:
    news = RepositoryNews(repository_id=7, installation_id=5, repository="octo/dog")
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [news])
        await engine.idle()
    assert bench.work.runs == {}
    assert await bench.outcome("one") is Outcome.DONE


async def test_news_of_an_installation_reaches_what_was_heard_of(bench: Bench) -> None:
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake(1), wake(2)])
        news = InstallationNews(installation_id=5, work=(Work(kind=WorkKind.READY),))
        other = InstallationNews(installation_id=6, work=(Work(kind=WorkKind.READY),))
        await engine.receive(replace(delivery("two"), repository_id=None), [news, other])
        await engine.idle()
    assert bench.work.runs == {0: 1, 1: 1, 2: 1}
    assert await bench.outcome("two") is Outcome.DONE


async def test_a_delivery_that_wakes_nothing_is_kept_all_the_same(bench: Bench) -> None:
    async with bench.engine() as engine:
        assert await engine.receive(delivery("one"))
        assert not await engine.receive(delivery("one"))
    assert await bench.outcome("one") is Outcome.DONE


async def test_a_job_that_was_lost_is_queued_again_by_the_sweep(bench: Bench) -> None:
    async with bench.engine() as engine:
        await bench.database.transact(
            lambda connection: pulls.wake(connection, wake(), now_ms=0)  # without its job
        )
        await engine.sweep()
        await engine.idle()
    assert bench.work.runs == {1: 1}


async def test_the_sweep_leaves_jobs_alone_that_wait_or_run(bench: Bench) -> None:
    async with bench.engine(poll=HOUR) as engine:
        await engine.wake(wake())
        waiting = await engine.unfinished()
        await engine.sweep()
        assert await engine.unfinished() == waiting


async def test_the_sweep_forgets_what_ended_longer_ago_than_retention(bench: Bench) -> None:
    async with bench.engine(retention=-HOUR) as engine:  # as if an hour had passed
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
        await engine.sweep()
        assert await bench.outcome("one") is None
        while await bench.database.transact(_jobs_of_dbos):  # it writes a job's end after us
            await engine.sweep()
        await engine.wake(wake())  # the next job does not take the name of a forgotten one
        await engine.idle()
    assert bench.work.runs == {1: 2}


def _jobs_of_dbos(connection: sa.Connection) -> int:
    schema = "dbos" if connection.dialect.name == "postgresql" else None
    jobs = sa.table("workflow_status", schema=schema)
    return connection.execute(sa.select(sa.func.count()).select_from(jobs)).scalar_one()


async def test_an_engine_takes_jobs_while_it_runs(bench: Bench) -> None:
    async with bench.engine() as engine:
        assert engine.is_taking_jobs
    assert not engine.is_taking_jobs


async def test_the_backlog_says_what_waits_and_since_when(bench: Bench) -> None:
    async def act(key: PullKey) -> None:
        if key.number == 1:
            raise ConnectionError
        await asyncio.Future()

    bench.work.act, heard = act, Heard()
    async with bench.engine(retry_delays=(HOUR,), workers=2, watch=heard) as engine:
        await engine.wake(wake(1))
        await heard.until(1)
        for number in (2, 3, 4):
            await engine.wake(wake(number))
        while bench.work.runs.total() < 3:
            bench.work.changed.clear()
            await asyncio.wait_for(bench.work.changed.wait(), timeout=20)
        backlog = await engine.backlog()
        assert backlog is not None
        assert (backlog.waiting, backlog.delayed, backlog.running) == (1, 1, 2)
        assert 0 <= backlog.oldest_ms < 30_000
        await engine.stop(grace=timedelta(0))


async def test_a_database_that_keeps_silent_is_asked_once_at_a_time(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.jobs.engine._SECONDS_TO_ANSWER", 0.01)
    asked: list[object] = []
    begun, gone = threading.Event(), threading.Event()

    def ask(connection: sa.Connection, *, now_ms: int) -> None:
        asked.append((connection, now_ms))
        begun.set()
        gone.wait(20)
        raise OperationalError("SELECT 1", {}, OSError("gone"))

    monkeypatch.setattr("bot.jobs.engine.backlog", ask)
    async with bench.engine() as engine:
        assert [await engine.backlog() for _ in range(3)] == [None] * 3
        assert await asyncio.to_thread(begun.wait, 20)
        assert len(asked) == 1
        gone.set()
        assert await engine.backlog() is None


async def test_a_watch_hears_of_each_attempt_and_of_what_waited(bench: Bench) -> None:
    async def act(_key: PullKey) -> None:
        if bench.work.runs[1] == 1:
            raise RetryLater(timedelta(0))
        raise ConnectionError

    bench.work.act, heard = act, Heard()
    async with bench.engine(retry_delays=(SOON,), watch=heard) as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
    assert heard.attempts == [Ending.LIMITED, Ending.RETRIED, Ending.GIVEN_UP]
    (waited,) = heard.waited
    assert timedelta(0) < waited < timedelta(seconds=30)


async def test_the_log_of_a_job_says_what_it_is_about(bench: Bench) -> None:
    written: list[str] = []
    formatter = Lines(LogFormat.JSON)

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(formatter.format(record))

    async def act(_key: PullKey) -> None:
        raise GitHubError("GET /app was answered 502")

    bench.work.act, keep = act, Keep()
    logger = logging.getLogger("bot.jobs")
    logger.addHandler(keep)
    async with bench.engine(retry_delays=()) as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
    logger.removeHandler(keep)
    (line,) = [json.loads(line) for line in written]
    assert (line["delivery"], line["pull_request"]) == ("one", "octo/cat#1")
    assert (line["repository"], line["installation"], line["job"]) == ("octo/cat", 5, "7:1:1")
    assert line["error"] == "GitHubError: GET /app was answered 502"
    assert "traceback" not in line


async def test_a_sqlite_file_belongs_to_one_process(databases: Databases) -> None:
    work = JobWork()
    with databases.fresh("sqlite") as url:
        database, other = Database(url), Database(url)
        database.claim()
        with pytest.raises(SettingsError, match="another process"):
            Engine(other, work=work, give_up=work.give_up)
        other.close()
        database.close()


async def test_the_database_holds_no_text_of_an_error(bench: Bench, url: str) -> None:
    async def fail(_key: PullKey) -> None:
        raise ConnectionError("a token might stand " + "here")

    bench.work.act = fail
    async with bench.engine(retry_delays=()) as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
    kept = contents(url)
    assert "ConnectionError" in kept
    assert "a token might stand here" not in kept
