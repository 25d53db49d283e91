"""How the delivery log is read: in steps that a restart goes on with."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.core.errors import GitHubError
from bot.github import delivery_log
from bot.github.errors import RateLimited
from bot.github.installation import GitHubApp
from bot.handlers import lost_deliveries
from bot.handlers.lost_deliveries import LostDeliveries
from bot.handlers.round import LeaseLost, Round
from bot.sandbox import Sandbox
from bot.sandbox.state.apps import App
from bot.store import reconciliation as stored
from bot.store.database import Database
from tests.github.conftest import FakeTime


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator["Bench"]:
    with Sandbox.start(tmp_path / "github") as github:
        app = github.create_app(webhook_url="http://127.0.0.1:9/")
        ours = GitHubApp(
            app_id=str(app.id),
            private_key=app.private_key_pem,
            api_url=github.url,
            timing=FakeTime().timing,
        )
        database = Database(f"sqlite:///{tmp_path / 'bot.sqlite'}")
        yield Bench(github, app, ours, database)
        await ours.aclose()
        database.close()


class Bench:
    """An app whose deliveries reach nobody, and a database."""

    def __init__(self, github: Sandbox, app: App, ours: GitHubApp, database: Database) -> None:
        self.github, self.app, self.ours, self.database = github, app, ours, database

    def lose(self, count: int, event: str = "push") -> list[str]:
        """Deliver in vain; gives the GUIDs."""
        sent = [self.github.deliver(event, {}, app=self.app) for _ in range(count)]
        self.github.settle_deliveries()
        return [one.guid for one in sent]

    async def round(self, part: LostDeliveries, holder: str = "") -> tuple[int, bool, list[str]]:
        """How many were asked for again, whether more is left, and what was asked of GitHub."""
        start = len(self.github.requests)
        done = Round(database=self.database, holder=holder)
        await part.ask_again(done)
        self.github.settle_deliveries()
        asked = [one.operation.removeprefix("apps/") for one in self.github.requests[start:]]
        return done.redelivered, done.more, asked

    def part(self) -> LostDeliveries:
        return LostDeliveries(github=self.ours, retention=timedelta(days=14))


async def test_a_reading_goes_on_where_it_stopped(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_log, "_PAGE", 2)
    monkeypatch.setattr(lost_deliveries, "MAX_LOG_PAGES", 1)
    guids = bench.lose(5)
    rounds = [await bench.round(bench.part()) for _ in range(3)]  # each by a new process
    assert [(count, more) for count, more, _ in rounds] == [(2, True), (2, True), (1, False)]
    again = [one.guid for one in bench.github.deliveries if one.redelivery]
    assert again == [guids[3], guids[4], guids[1], guids[2], guids[0]]
    progress = await bench.database.transact(stored.log_progress)
    assert progress.cursor is None
    assert progress.read_ms > 0


async def test_when_nothing_is_new_it_costs_one_request(bench: Bench) -> None:
    part = bench.part()
    bench.lose(1, "star")  # means nothing to us
    assert await bench.round(part) == (0, False, ["list-webhook-deliveries"])
    assert await bench.round(part) == (0, False, ["list-webhook-deliveries"])
    assert part.only_failures


async def test_a_cursor_that_github_has_forgotten_begins_anew(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_log, "_PAGE", 1)
    monkeypatch.setattr(lost_deliveries, "MAX_LOG_PAGES", 1)
    bench.lose(2)
    await bench.round(bench.part())
    bench.github.faults.add("GET /app/hook/deliveries", status=422)
    _, _, asked = await bench.round(bench.part())
    assert asked[:2] == ["", "list-webhook-deliveries"]


async def test_what_cannot_be_sent_again_is_let_go(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    (guid,) = bench.lose(1)
    bench.github.faults.add("POST /app/hook/deliveries", status=422)
    assert (await bench.round(bench.part()))[0] == 0
    assert f"delivery {guid} was lost and cannot be sent again" in caplog.text
    since = {"since_ms": 0, "now_ms": 10**15, "limit": 9}
    assert await bench.database.transact(lambda one: stored.lost(one, **since)) == ()


async def test_one_that_github_stumbles_over_stops_no_other_and_comes_soon(bench: Bench) -> None:
    guids = bench.lose(3)
    part = bench.part()
    bench.github.faults.add("POST /app/hook/deliveries", status=502, times=4)
    assert (await bench.round(part))[:2] == (2, True)
    assert (await bench.round(part))[:2] == (1, False)
    again = [one.guid for one in bench.github.deliveries if one.redelivery]
    assert sorted(again) == sorted(guids)


async def test_a_short_limit_is_waited_for_and_a_long_one_ends_the_round(bench: Bench) -> None:
    bench.lose(3)
    part = bench.part()
    for seconds in ("2", "60"):
        headers = {"retry-after": seconds}
        bench.github.faults.add("POST /app/hook/deliveries", status=403, headers=headers)
        if seconds == "2":
            assert (await bench.round(part))[:2] == (2, True)
        else:
            with pytest.raises(RateLimited):
                await bench.round(part)


async def test_when_nothing_can_be_sent_again_it_stops(bench: Bench) -> None:
    bench.lose(9)
    bench.github.faults.add("POST /app/hook/deliveries", status=502, times=999)
    with pytest.raises(GitHubError):
        await bench.round(bench.part())


async def test_it_stops_when_another_process_goes_on(bench: Bench) -> None:
    bench.lose(1)
    with pytest.raises(LeaseLost):
        await bench.round(bench.part(), holder="not the one")
    assert bench.github.requests == ()
