"""Rounds: the first one soon, then every few minutes, one process at a time."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.github.installation import GitHubApp
from bot.handlers import reconcile
from bot.handlers.reconcile import Reconciler
from bot.handlers.round import Round
from bot.sandbox import Sandbox
from bot.store.database import Database
from tests.github.conftest import FakeTime


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Sandbox]:
    with Sandbox.start(tmp_path / "github") as github:
        yield github


@pytest.fixture
async def reconciler(github: Sandbox, tmp_path: Path) -> AsyncIterator[Reconciler]:
    async def hear(_: object) -> None:
        """Nothing is woken here."""

    app = github.create_app()
    ours = GitHubApp(
        app_id=str(app.id),
        private_key=app.private_key_pem,
        api_url=github.url,
        timing=FakeTime().timing,
    )
    database = Database(f"sqlite:///{tmp_path / 'bot.sqlite'}")
    yield Reconciler(
        github=ours,
        database=database,
        hear=hear,
        every=timedelta(milliseconds=20),
        retention=timedelta(days=14),
    )
    await ours.aclose()
    database.close()


async def test_a_round_that_github_cuts_short_is_followed_soon(
    reconciler: Reconciler, github: Sandbox
) -> None:
    github.faults.add("GET /app/hook/deliveries", status=403)
    first, second = await reconciler.compare(), await reconciler.compare()
    assert (first is not None and first.more, second is not None and second.more) == (True, False)


async def test_rounds_follow_each_other_whatever_becomes_of_one(
    reconciler: Reconciler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reconcile, "_AT_START", 0.0)
    compare, rounds = reconciler.compare, asyncio.Queue[Round | None]()
    bugs = [ZeroDivisionError()]

    async def compare_badly(*, after: timedelta = timedelta(0)) -> Round | None:
        if bugs:
            raise bugs.pop()
        rounds.put_nowait(await compare(after=after))
        return None

    monkeypatch.setattr(reconciler, "compare", compare_badly)
    task = asyncio.create_task(reconciler.run())
    async with asyncio.timeout(20):
        assert await rounds.get() is not None
        assert await rounds.get() is not None
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert "comparing with GitHub failed; it is done again" in caplog.text


async def test_a_round_that_was_over_just_now_is_enough_for_all(reconciler: Reconciler) -> None:
    assert await reconciler.compare() is not None
    assert await reconciler.compare(after=timedelta(minutes=5)) is None
    assert await reconciler.compare() is not None


async def test_it_goes_on_soon_where_the_process_that_was_at_it_died(
    reconciler: Reconciler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_AT_START", 0.0)
    monkeypatch.setattr(reconcile, "_SOON", timedelta(milliseconds=1))
    monkeypatch.setattr(reconciler, "_every", timedelta(hours=1))
    compare, rounds, others = reconciler.compare, asyncio.Queue[Round | None](), [None]

    async def after_another(*, after: timedelta = timedelta(0)) -> Round | None:
        done = others.pop() if others else await compare(after=after)
        rounds.put_nowait(done)
        return done

    monkeypatch.setattr(reconciler, "compare", after_another)
    task = asyncio.create_task(reconciler.run())
    async with asyncio.timeout(20):
        assert await rounds.get() is None
        assert await rounds.get() is not None
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
