import asyncio
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.jobs.queue import Queue, now_ms
from bot.jobs.worker import RetryLater
from bot.store.deliveries import Outcome
from bot.store.pulls import Job, PullKey
from tests.jobs.conftest import HOUR, SOON, Bench, delivery, key, wake


async def _fail(_key: PullKey) -> None:
    raise ConnectionError


async def test_a_failing_job_is_tried_again(bench: Bench) -> None:
    async def fail_at_first(_key: PullKey) -> None:
        if bench.work.runs[1] == 1:
            raise ConnectionError

    bench.work.act = fail_at_first
    async with bench.engine(retry_delays=(SOON,)) as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
    assert bench.work.runs == {1: 2}
    assert await bench.outcome("one") is Outcome.DONE
    assert bench.work.given_up == []


async def test_a_job_that_keeps_failing_is_given_up(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.work.act = _fail
    async with bench.engine(retry_delays=(SOON,)) as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
    assert bench.work.runs == {1: 2}
    ((given_up, failure),) = bench.work.given_up
    assert (given_up, failure.error) == (key(), "ConnectionError")
    assert failure.request_id in caplog.text
    state = await bench.state()
    assert (state.outcome, state.error) == (Outcome.FAILED, "ConnectionError")
    assert state.request_id == failure.request_id
    assert await bench.outcome("one") is Outcome.FAILED


async def test_a_failed_pull_request_is_not_blocked(bench: Bench) -> None:
    bench.work.act = _fail
    async with bench.engine(retry_delays=()) as engine:
        await engine.wake(wake())
        await engine.idle()
        bench.work.act = None
        await engine.wake(wake())
        await engine.idle()
    assert bench.work.runs == {1: 2}
    state = await bench.state()
    assert (state.outcome, state.error, state.request_id) == (Outcome.DONE, None, None)


@pytest.mark.parametrize("error", [ConnectionError(), RetryLater(SOON)], ids=["fails", "waits"])
async def test_where_giving_up_fails_too_the_job_stays(bench: Bench, error: Exception) -> None:
    """Else the check would wait for ever: nothing else comes back to it."""
    bench.work.act, bench.work.give_up_fails = _fail, [error, error]
    async with bench.engine(retry_delays=()) as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
    assert len(bench.work.given_up) == 3
    assert (await bench.state()).outcome is Outcome.FAILED
    assert await bench.outcome("one") is Outcome.FAILED


async def test_a_long_outage_ends_with_the_verdict_itself(bench: Bench) -> None:
    async def fail_twice(_key: PullKey) -> None:
        if bench.work.runs[1] <= 2:
            raise ConnectionError

    bench.work.act, bench.work.give_up_fails = fail_twice, [ConnectionError(), ConnectionError()]
    async with bench.engine(retry_delays=()) as engine:
        await engine.wake(wake())
        await engine.idle()
    assert (bench.work.runs, len(bench.work.given_up)) == ({1: 3}, 2)
    assert (await bench.state()).outcome is Outcome.DONE


async def test_the_pause_after_a_failed_giving_up_grows_to_a_limit(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as long as the trouble has lasted: the job is put off by what the clock says."""
    pauses: list[timedelta] = []
    begun = now_ms()
    monkeypatch.setattr(
        "bot.jobs.worker.now_ms", lambda: begun + 60_000 * 3 ** len(bench.work.given_up)
    )

    class Watched(Queue):
        def put(
            self, connection: sa.Connection, job: Job, *, delay: timedelta = timedelta(0)
        ) -> None:
            pauses.append(delay)
            super().put(connection, job)

    monkeypatch.setattr("bot.jobs.engine.Queue", Watched)
    bench.work.act, bench.work.give_up_fails = _fail, [ConnectionError() for _ in range(3)]
    async with bench.engine(retry_delays=()) as engine:
        await engine.wake(wake())
        await engine.idle()
    assert [round(pause / timedelta(minutes=1)) for pause in pauses] == [0, 3, 9, 10]


async def test_a_push_does_not_wait_for_the_retry_of_a_failure(bench: Bench) -> None:
    bench.work.act = _fail
    async with bench.engine(retry_delays=(HOUR,)) as engine:
        await engine.receive(delivery("one"), [wake()])
        await bench.work.until(1)
        bench.work.act = None
        await engine.receive(delivery("two"), [wake()])
        await engine.idle()
    assert bench.work.runs == {1: 2}
    assert await bench.outcome("one") is Outcome.DONE


async def test_a_push_waits_with_a_job_that_has_to_wait(bench: Bench) -> None:
    async def wait_with_the_first(key: PullKey) -> None:
        if key.number == 1:
            raise RetryLater(HOUR)

    bench.work.act = wait_with_the_first
    async with bench.engine(workers=1) as engine:
        await engine.receive(delivery("one"), [wake(1)])
        await bench.work.until(1)
        await engine.receive(delivery("two"), [wake(2)])  # the worker is free meanwhile
        await bench.work.until(2)
        await engine.receive(delivery("three"), [wake(1)])
        await engine.receive(delivery("four"), [wake(3)])
        await bench.work.until(3)
        assert {str(job.key) for job in await engine.unfinished()} >= {"7:1"}
    assert bench.work.runs[1] == 1
    assert await bench.outcome("three") is Outcome.PENDING


async def test_a_push_need_not_wait_where_only_a_command_has_to(bench: Bench) -> None:
    async def wait_at_first(_key: PullKey) -> None:
        if bench.work.runs[1] == 1:
            raise RetryLater(HOUR, covers_wakes=False)

    bench.work.act = wait_at_first
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake()])
        await bench.work.until(1)
        await engine.receive(delivery("two"), [wake()])
        await engine.idle()
    assert bench.work.runs == {1: 2}
    assert await bench.outcome("one") is Outcome.DONE


async def test_a_job_that_had_to_wait_runs_when_its_time_has_come(bench: Bench) -> None:
    async def wait_at_first(_key: PullKey) -> None:
        if bench.work.runs[1] == 1:
            raise RetryLater(timedelta(seconds=0.1))

    bench.work.act = wait_at_first
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake()])
        await engine.idle()
    assert bench.work.runs == {1: 2}
    assert await bench.outcome("one") is Outcome.DONE


async def test_waiting_is_not_failing(bench: Bench) -> None:
    async def wait_often(_key: PullKey) -> None:
        if bench.work.runs[1] < 5:
            raise RetryLater(timedelta(0))

    bench.work.act = wait_often
    async with bench.engine(retry_delays=()) as engine:
        await engine.wake(wake())
        await engine.idle()
    assert bench.work.runs == {1: 5}
    assert bench.work.given_up == []


async def test_a_stop_lets_running_jobs_end(bench: Bench) -> None:
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def wait(_key: PullKey) -> None:
        await go_on.wait()
        ended.set()

    bench.work.act = wait
    async with bench.engine() as engine:
        await engine.wake(wake())
        await bench.work.until(1)
        stopping = asyncio.create_task(engine.stop(grace=HOUR))
        await asyncio.sleep(0)
        go_on.set()
        await stopping
        assert ended.is_set()
    assert (await bench.state()).outcome is Outcome.DONE


async def test_a_job_that_outlasts_the_grace_of_a_stop_is_done_by_the_next_process(
    bench: Bench,
) -> None:
    async def wait(_key: PullKey) -> None:
        await asyncio.Future()

    bench.work.act = wait
    async with bench.engine() as engine:
        await engine.receive(delivery("one"), [wake()])
        await bench.work.until(1)
        await engine.stop(grace=timedelta(0))
    assert await bench.outcome("one") is Outcome.PENDING
    bench.work.act = None
    async with bench.engine() as engine:
        await engine.idle()
    assert bench.work.runs == {1: 2}
    assert await bench.outcome("one") is Outcome.DONE


async def test_a_job_that_kills_every_process_is_given_up(bench: Bench) -> None:
    async def wait(_key: PullKey) -> None:
        await asyncio.Future()

    bench.work.act = wait
    for run in (1, 2):
        async with bench.engine(retry_delays=(HOUR,)) as engine:
            if run == 1:
                await engine.wake(wake())
            await bench.work.until(1, runs=run)
            await engine.stop(grace=timedelta(0))
    async with bench.engine(retry_delays=(HOUR,)) as engine:
        await engine.idle()
    assert bench.work.runs == {1: 2}
    assert [failure.error for _, failure in bench.work.given_up] == ["ProcessDied"]
