"""Two workers on one database: what one of them read long ago is not written over the other's."""

import logging
from datetime import timedelta

import pytest

from bot.app import Bot
from bot.store import claims, executors
from bot.store.pulls import PullKey
from bot.web.background import Background
from tests.scenarios.conftest import CODE, MEMORIES, Team, memory, said, synced

SHOP = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}
NEW = memory("20260501-utc", "constraint", "Times are in UTC", more='links: ["src/api"]\n')


@pytest.mark.parametrize("team", ["postgresql"], indirect=True)
def test_a_worker_that_slept_while_its_job_was_taken_over_writes_nothing(
    team: Team, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As after SIGSTOP, or when a virtual machine stands still."""
    caplog.set_level(logging.INFO)
    repository = team.repository(SHOP)
    repository.branch("feature")
    repository.commit("feature", files={"src/api/orders.py": "import db\n"}, login="alice")
    pull = repository.open_pull(head="feature", user="alice")
    team.settle()
    asleep = team.github.faults.add("graphql Blobs", hang=True)
    repository.commit("main", files=NEW)  # which is all that the sleeper will have heard of
    assert asleep.waiting.wait(20)
    monkeypatch.setattr(team.bot.engine, "beat", _nothing)
    team.github.pause_deliveries()
    repository.commit("main", delete=list(NEW))
    other = Bot(team.settings, timing=team.clock.timing, compares=False, takes_jobs=False)
    with Background(other.web) as served, other.database.engine.connect() as connection:
        key = PullKey(repository_id=repository.id, number=pull.number)
        with connection.begin():
            connection.exec_driver_sql("UPDATE executors SET seen_ms = 0")
            for _ in range(2):  # of whom it hears first it takes nobody for dead
                executors.beat(connection, "other", silence=timedelta(hours=1))
            claim = claims.take(connection, key, "other")
        served.run(other.jobs.bring_up_to_date(claim))
    wrote = len(team.github.requests)
    asleep.release()
    team.settle()
    assert not any("Publish" in one.operation for one in team.github.requests[wrote:])
    assert "another process has begun this; nothing is written" in caplog.text
    assert "Times are in UTC" not in said(pull)[0]
    team.github.resume_deliveries()


async def _nothing() -> None:
    """Stand for a heartbeat that does not beat."""
