import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from bot.cli import asking
from bot.store import deliveries, pulls
from bot.store.database import Database
from bot.store.deliveries import Outcome
from bot.store.pulls import PullKey, Wake
from tests.cli.running import run
from tests.jobs.conftest import HOUR, Bench, Heard, Work, delivery, wake


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    url = f"sqlite:///{tmp_path / 'bot.sqlite'}"
    monkeypatch.setenv("MEMORYRAIL_DATABASE_URL", url)
    database = Database(url)
    yield Bench(database, Work())
    database.close()


async def _fail(_key: PullKey) -> None:
    raise ConnectionError


def failing(*numbers: int) -> Callable[[PullKey], Awaitable[None]]:
    async def act(key: PullKey) -> None:
        if key.number in numbers:
            raise ConnectionError

    return act


async def typed(*arguments: str) -> str:
    """What a command prints, run beside the engine."""
    result = await asyncio.to_thread(run, *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


async def test_a_job_that_was_given_up_is_seen_and_done_again(bench: Bench) -> None:
    bench.work.act = failing(1, 2)
    async with bench.engine(retry_delays=()) as engine:
        assert await typed("jobs", "list") == "No job waits, runs or was given up.\n"
        for number in (1, 2, 3):
            await engine.receive(delivery(f"guid-{number}"), [wake(number)])
        await engine.idle()
        (state,) = [one for one in [await bench.state(1)] if one.error]
        head, *rows = (await typed("jobs", "list")).splitlines()
        assert head.split() == ["JOB", "STATE", "SINCE", "ATTEMPTS", "LAST", "ERROR"]
        assert sorted(row.split()[0] for row in rows) == ["octo/cat#1", "octo/cat#2"]
        assert f"given up  0 s    1         ConnectionError {state.request_id}" in "".join(rows)
        shown = json.loads(await typed("jobs", "show", "octo/cat#1", "--json"))
        assert shown["error"] == "ConnectionError"
        assert [one["outcome"] for one in shown["deliveries"]] == ["failed"]
        assert "guid-1" in await typed("jobs", "show", "7:1")

        bench.work.act = None
        assert (await typed("jobs", "retry", "octo/cat#1")).startswith("octo/cat#1: ")
        await engine.idle()
        assert bench.work.runs == {1: 2, 2: 1, 3: 1}
        assert (await typed("jobs", "retry", "--given-up")).startswith("octo/cat#2: ")
        await engine.idle()
        assert bench.work.runs == {1: 2, 2: 2, 3: 1}
        assert await typed("jobs", "list", "--given-up") == "No job was given up.\n"


async def test_a_retry_does_not_wait_for_the_pause_after_a_failure(bench: Bench) -> None:
    bench.work.act = failing(1)
    heard = Heard()
    async with bench.engine(retry_delays=(HOUR,), watch=heard) as engine:
        await engine.wake(wake(1))
        await heard.until(1)
        assert "delayed  in " in await typed("jobs", "list")
        bench.work.act = None
        await typed("jobs", "retry", "octo/cat#1")
        await engine.idle()
    assert bench.work.runs == {1: 2}


async def test_a_cancelled_job_is_not_done(bench: Bench) -> None:
    bench.work.act = failing(1)
    heard = Heard()
    async with bench.engine(retry_delays=(HOUR,), watch=heard) as engine:
        await engine.receive(delivery("one"), [wake(1)])
        await heard.until(1)
        assert await typed("jobs", "cancel", "octo/cat#1") == "octo/cat#1: cancelled\n"
        assert await typed("jobs", "cancel", "7:1") == "octo/cat#1: has ended already\n"
        assert await bench.outcome("one") is Outcome.FAILED
        assert "Cancelled" in await typed("jobs", "list")
        assert await engine.unfinished() == ()
        bench.work.act = None
        await engine.wake(wake(1))  # it is woken as ever
        await engine.idle()
    assert bench.work.runs == {1: 2}


async def test_what_runs_when_it_is_cancelled_is_not_tried_again(bench: Bench) -> None:
    goes_on = asyncio.Event()

    async def wait_and_fail(_key: PullKey) -> None:
        await goes_on.wait()
        raise ConnectionError

    bench.work.act = wait_and_fail
    async with bench.engine(retry_delays=(HOUR,)) as engine:
        await engine.wake(wake(1))
        await bench.work.until(1)
        assert "running" in await typed("jobs", "list")
        await typed("jobs", "cancel", "octo/cat#1")
        goes_on.set()
        await engine.idle()
        assert await engine.unfinished() == ()
    assert bench.work.runs == {1: 1}


def test_a_job_that_was_never_heard_of_is_named(bench: Bench) -> None:
    def same_name(repository_id: int) -> Wake:
        of = PullKey(repository_id=repository_id, number=1)
        return Wake(key=of, installation_id=5, repository="octo/cat")

    for arguments, told in (
        (("show", "octo/dog#1"), "nothing was heard of octo/dog#1 yet"),
        (("show", "9:1"), "nothing was heard of 9:1 yet"),
        (("cancel", "octo"), "'octo' should be owner/name#NUMBER, owner/name or ids such as 7:3"),
    ):
        result = run("jobs", *arguments)
        assert (result.exit_code, result.stderr) == (2, f"Error: {told}\n")
    for repository_id in (7, 8):  # one was deleted, another took its name
        with bench.database.engine.begin() as connection:
            pulls.wake(connection, same_name(repository_id), now_ms=1)
    result = run("jobs", "show", "octo/cat#1")
    assert result.stderr == "Error: several repositories were called octo/cat#1: say 7:1 or 8:1\n"
    assert json.loads(run("jobs", "show", "8:1", "--json").stdout)["name"] == "octo/cat#1"


def test_retry_wants_names_or_all(bench: Bench) -> None:
    assert str(bench.database.url).startswith("sqlite")
    for arguments in ((), ("octo/cat#1", "--given-up")):
        result = run("jobs", "retry", *arguments)
        assert result.exit_code == 2
        assert "Name jobs, or say --given-up." in result.stderr


def test_where_there_is_no_database_none_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "none.sqlite"
    monkeypatch.setenv("MEMORYRAIL_DATABASE_URL", f"sqlite:///{file}")
    result = run("jobs", "list")
    told = f"Error: MEMORYRAIL_DATABASE_URL: the bot has kept nothing in {file} yet\n"
    assert (result.exit_code, result.stderr) == (2, told)
    assert list(tmp_path.iterdir()) == []


def test_another_versions_database_is_left_alone(bench: Bench) -> None:
    with bench.database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO memoryrail_migrations VALUES (999)")
    result = run("jobs", "list")
    assert result.exit_code == 2
    assert "holds tables of version 999, this program has version" in result.stderr


def test_the_settings_of_the_bot_may_lack_what_is_not_asked_for(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMORYRAIL_DATABASE_URL")
    file = tmp_path / "bot.env"
    file.write_text(f"MEMORYRAIL_DATABASE_URL={bench.database.url}\n")
    assert run("jobs", "list", "--env-file", str(file)).exit_code == 0


def test_a_delivery_that_is_reopened_is_acted_on_when_it_comes_again(bench: Bench) -> None:
    def record() -> bool:
        return bench.database.transact_here(
            lambda connection: deliveries.record(connection, delivery("one"), now_ms=1)
        )

    assert [record(), record()] == [True, False]
    bench.database.transact_here(lambda connection: deliveries.reopen(connection, "one"))
    assert record()


@pytest.mark.parametrize(
    ("ago_ms", "told"),
    [
        (0, "0 s"),
        (59_000, "59 s"),
        (60_000, "1 min"),
        (7_200_000, "2 h"),
        (172_800_000, "2 d"),
        (-90_500, "in 1 min"),
    ],
)
def test_how_long_ago(monkeypatch: pytest.MonkeyPatch, ago_ms: int, told: str) -> None:
    monkeypatch.setattr(asking, "now_ms", lambda: 10**12)
    assert asking.span(10**12 - ago_ms) == told
