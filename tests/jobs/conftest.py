"""An engine over a fresh database of each kind, and work that a test can follow."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from bot.jobs.engine import Engine
from bot.jobs.watch import Ending
from bot.store import deliveries, pulls
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.deliveries import Delivery, Outcome
from bot.store.pulls import Failure, PullKey, PullState, Wake
from tests.databases import KINDS, Databases

HOUR = timedelta(hours=1)
SOON = timedelta(seconds=0.02)
Act = Callable[[PullKey], Awaitable[None]]


def key(number: int = 1) -> PullKey:
    return PullKey(repository_id=7, number=number)


def wake(number: int = 1, head_sha: str | None = None) -> Wake:
    return Wake(key=key(number), installation_id=5, repository="octo/cat", head_sha=head_sha)


def delivery(guid: str) -> Delivery:
    return Delivery(
        guid=guid,
        event="pull_request",
        action="synchronize",
        installation_id=5,
        repository_id=7,
    )


@dataclass(slots=True)
class Work:
    """Counts what ran, and does in each run what the test says (nothing, by default)."""

    act: Act | None = None
    runs: Counter[int] = field(default_factory=Counter)
    given_up: list[tuple[PullKey, Failure]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    give_up_fails: list[Exception] = field(default_factory=list)  # of each attempt, the next first

    async def __call__(self, claim: Claim) -> None:
        key = claim.key
        self.runs[key.number] += 1
        self.changed.set()
        if self.act is not None:
            await self.act(key)

    async def give_up(self, claim: Claim, failure: Failure) -> None:
        self.given_up.append((claim.key, failure))
        if self.give_up_fails:
            raise self.give_up_fails.pop(0)

    async def until(self, number: int, runs: int = 1) -> None:
        """Wait until a pull request's job has begun that many times."""
        while self.runs[number] < runs:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), timeout=20)


@dataclass(slots=True)
class Heard:
    """A watch that remembers."""

    attempts: list[Ending] = field(default_factory=list)
    waited: list[timedelta] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def attempted(self, _key: PullKey, ending: Ending, *, took: timedelta) -> None:
        assert took > timedelta(0)
        self.attempts.append(ending)
        self.changed.set()

    def settled(self, _key: PullKey, waited: Sequence[timedelta]) -> None:
        self.waited.extend(waited)

    async def until(self, attempts: int) -> None:
        """Wait until so many attempts have ended."""
        while len(self.attempts) < attempts:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), timeout=20)


@dataclass(frozen=True, slots=True)
class Bench:
    """A database, work, and engines over both."""

    database: Database
    work: Work

    def engine(self, **options: Any) -> AbstractAsyncContextManager[Engine]:
        """A running engine; it must end within seconds."""
        return _running(self, options)

    async def state(self, number: int = 1) -> PullState:
        state = await self.database.transact(
            lambda connection: pulls.state(connection, key(number))
        )
        assert state is not None
        return state

    async def outcome(self, guid: str) -> Outcome | None:
        return await self.database.transact(lambda connection: deliveries.outcome(connection, guid))


@asynccontextmanager
async def _running(bench: Bench, options: dict[str, Any]) -> AsyncIterator[Engine]:
    options = {"poll": SOON} | options
    async with (
        asyncio.timeout(30),
        Engine(bench.database, work=bench.work, give_up=bench.work.give_up, **options) as engine,
    ):
        yield engine


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, databases: Databases) -> Iterator[str]:
    with databases.fresh(request.param) as url:
        yield url


@pytest.fixture
def bench(url: str) -> Iterator[Bench]:
    database = Database(url)
    yield Bench(database, Work())
    database.close()
