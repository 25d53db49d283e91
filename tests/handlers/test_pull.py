"""The job, as far as no GitHub is needed to see it; tests/scenarios has the rest."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.handlers import permissions
from bot.handlers.indexes import Indexes
from bot.handlers.pull import PullJobs
from bot.handlers.showing import Showing
from bot.store import pulls
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.heads import Heads
from bot.store.pulls import PullKey, Wake


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'bot.sqlite'}")
    yield database
    database.close()


class Reading:
    """Stands for commands and loader: counts who reads at a time once both jobs have come."""

    def __init__(self) -> None:
        self.arrived = self.now = self.most = 0
        self.both_are_here = asyncio.Event()

    async def run_waiting(self, *_: object) -> bool:
        self.arrived += 1
        if self.arrived == 2:
            self.both_are_here.set()
        return False

    async def load(self, *_: object) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await self.both_are_here.wait()
        for _turn in range(20):
            await asyncio.sleep(0)
        self.now -= 1
        raise ConnectionError


@pytest.mark.parametrize(("heads", "expected"), [(("a", "a"), 1), (("a", "b"), 2)])
async def test_pull_requests_that_share_a_head_are_read_and_published_in_turn(
    database: Database, heads: tuple[str, str], expected: int
) -> None:
    """Else what one has read could outlast, on the commit, what the other published since."""

    async def granted() -> object:
        return permissions.NEEDED

    installation = SimpleNamespace(permissions=granted)
    stubs: dict[str, Any] = {
        "github": SimpleNamespace(installation=lambda _: installation),
        "loader": (reading := Reading()),
        "commands": reading,
        "indexes": Indexes(1 << 20),
    }
    showing = Showing(database=database)
    jobs = PullJobs(database=database, heads=Heads(database), showing=showing, **stubs)
    claims = [Claim(key=PullKey(repository_id=7, number=number), token="") for number in (1, 2)]
    for claim, head in zip(claims, heads, strict=True):
        wake = Wake(key=claim.key, installation_id=5, repository="octo/cat", head_sha=head * 40)
        await database.transact(partial(pulls.wake, wake=wake, now_ms=1))
    done = await asyncio.gather(*map(jobs.bring_up_to_date, claims), return_exceptions=True)
    assert [type(one) for one in done] == [ConnectionError, ConnectionError]
    assert reading.most == expected
