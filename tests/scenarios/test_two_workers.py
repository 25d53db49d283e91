"""Two workers on one database: what one of them read long ago is not written over the other's."""

import logging
from datetime import timedelta

import pytest

from bot.app import Bot
from bot.sandbox.state.pulls import PullRequest
from bot.store import claims, executors
from bot.store.pulls import PullKey
from bot.web.background import Background
from tests.scenarios.commanding import PATH, REF, audit, opened, proposal, rows, say
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
    team.github.pause_deliveries()
    repository.commit("main", delete=list(NEW))
    _take_over(team, pull, monkeypatch)
    wrote = len(team.github.requests)
    asleep.release()
    team.settle()
    assert not any("Publish" in one.operation for one in team.github.requests[wrote:])
    assert "another process has begun this; nothing is written" in caplog.text
    assert "Times are in UTC" not in said(pull)[0]
    team.github.resume_deliveries()


@pytest.mark.parametrize("team", ["postgresql"], indirect=True)
def test_nor_does_it_take_back_what_the_other_has_approved(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an approval covers is kept before its commit; the plan of the sleeper has no commit."""
    pull = opened(team, proposal())
    asleep = team.github.faults.add("GET .*/permission", hang=True)
    say(team, pull, "ada", f"/memoryrail approve {REF}")
    assert asleep.waiting.wait(20)
    team.github.pause_deliveries()
    _take_over(team, pull, monkeypatch)
    with team.bot.database.engine.begin() as connection:  # comments are of the sandbox's time
        moved = "UPDATE shown_heads SET shown_ms = shown_ms + 60000 WHERE head_sha = %s"
        connection.exec_driver_sql(moved, (pull.head_sha,))
    asleep.release()
    team.github.resume_deliveries()
    team.settle()
    committed = pull.repository.git.entry(pull.head_sha, PATH)
    assert committed is not None
    assert rows(team, "SELECT oid FROM approvals") == [(committed.oid,)]
    assert audit(team) == [("approve", REF, "done", pull.head_sha)]


def _take_over(team: Team, pull: PullRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another process do the job of a pull request, as when the first counts as dead."""
    monkeypatch.setattr(team.bot.engine, "beat", _nothing)
    other = Bot(team.settings, timing=team.clock.timing, compares=False, takes_jobs=False)
    with Background(other.web) as served, other.database.engine.connect() as connection:
        key = PullKey(repository_id=pull.repository.id, number=pull.number)
        with connection.begin():
            connection.exec_driver_sql("UPDATE executors SET seen_ms = 0")
            for _ in range(2):  # of whom it hears first it takes nobody for dead
                executors.beat(connection, "other", silence=timedelta(hours=1))
            claim = claims.take(connection, key, "other")
        served.run(other.jobs.bring_up_to_date(claim))


async def _nothing() -> None:
    """Stand for a heartbeat that does not beat."""
