import pytest
import sqlalchemy as sa

from bot.store import deliveries, overview, pulls
from bot.store.database import Database
from bot.store.deliveries import Delivery, Outcome
from bot.store.overview import Backlog, JobState, Labels
from bot.store.pulls import Failure, Job, PullKey, Wake

NOW = 100_000
FAILURE = Failure(error="GitHubError", request_id="1f")


def key(number: int) -> PullKey:
    return PullKey(repository_id=7, number=number)


def woken(connection: sa.Connection, number: int, *, at: int, name: str = "octo/cat") -> Job:
    wake = Wake(key=key(number), installation_id=5, repository=name, head_sha="a" * 40)
    job, _ = pulls.wake(connection, wake, now_ms=at)
    return job


def failed(connection: sa.Connection, number: int, *, at: int) -> Job:
    job = woken(connection, number, at=at)
    pulls.take(connection, job)
    pulls.finish(connection, job, now_ms=at, failure=FAILURE)
    return job


def received(connection: sa.Connection, guid: str, job: Job, *, at: int) -> None:
    delivery = Delivery(guid=guid, event="pull_request", repository_id=7)
    assert deliveries.record(connection, delivery, now_ms=at)
    deliveries.await_job(connection, guid, number=job.key.number, seq=job.seq)


def several(connection: sa.Connection) -> None:
    """A job in each state, number 1 the oldest."""
    pulls.take(connection, woken(connection, 1, at=NOW - 5000))
    woken(connection, 2, at=NOW - 4000)
    delayed = woken(connection, 3, at=NOW - 9000)
    pulls.take(connection, delayed)
    pulls.follow_up(connection, delayed, covers_wakes=False, due_ms=NOW + 1000, failure=FAILURE)
    failed(connection, 4, at=NOW - 3000)
    failed(connection, 5, at=NOW - 2000)
    done = woken(connection, 6, at=NOW - 1000)
    pulls.finish(connection, done, now_ms=NOW)


def test_an_empty_database_has_no_backlog(connection: sa.Connection) -> None:
    nothing = Backlog(waiting=0, delayed=0, running=0, given_up=0, oldest_ms=0)
    assert overview.backlog(connection, now_ms=NOW) == nothing


def test_the_backlog_counts_by_state_and_knows_the_oldest(connection: sa.Connection) -> None:
    several(connection)
    expected = Backlog(waiting=1, delayed=1, running=1, given_up=2, oldest_ms=5000)
    assert overview.backlog(connection, now_ms=NOW) == expected


def test_what_is_put_off_is_not_old(connection: sa.Connection) -> None:
    """A limit of GitHub's must not make the process look stuck."""
    job = woken(connection, 1, at=0)
    pulls.follow_up(connection, job, covers_wakes=True, due_ms=NOW + 1)
    assert overview.backlog(connection, now_ms=NOW).oldest_ms == 0


def test_waking_again_makes_a_job_no_younger(connection: sa.Connection) -> None:
    woken(connection, 1, at=NOW - 5000)
    woken(connection, 1, at=NOW)
    assert overview.backlog(connection, now_ms=NOW).oldest_ms == 5000


def test_jobs_are_listed_with_their_last_error(connection: sa.Connection) -> None:
    several(connection)
    rows = overview.unfinished(connection, now_ms=NOW, limit=9)
    assert [(row.name, row.state, row.error) for row in rows] == [
        ("octo/cat#1", JobState.RUNNING, None),
        ("octo/cat#2", JobState.WAITING, None),
        ("octo/cat#3", JobState.DELAYED, "GitHubError"),
    ]
    dead = overview.given_up(connection, now_ms=NOW, limit=9)
    assert [(row.name, row.state, row.request_id) for row in dead] == [
        ("octo/cat#5", JobState.GIVEN_UP, "1f"),
        ("octo/cat#4", JobState.GIVEN_UP, "1f"),
    ]
    assert len(overview.unfinished(connection, now_ms=NOW, limit=2)) == 2
    done = overview.job(connection, key(6), now_ms=NOW)
    assert done is not None
    assert (done.state, done.since_ms) == (JobState.DONE, NOW)


def test_a_given_up_job_that_is_tried_again_is_dead_no_longer(connection: sa.Connection) -> None:
    failed(connection, 1, at=1)
    woken(connection, 1, at=2)
    assert overview.given_up(connection, now_ms=NOW, limit=9) == ()
    assert overview.backlog(connection, now_ms=NOW).given_up == 0


def test_a_job_is_found_by_its_name_in_any_case(connection: sa.Connection) -> None:
    woken(connection, 0, at=1, name="Octo/Cat")
    woken(connection, 1, at=1, name="Octo/Cat")
    (row,) = overview.named(connection, "octo/CAT", 1, now_ms=NOW)
    assert (row.name, row.key) == ("Octo/Cat#1", key(1))
    (row,) = overview.named(connection, "octo/cat", 0, now_ms=NOW)
    assert row.name == "Octo/Cat"
    assert overview.named(connection, "octo/dog", 1, now_ms=NOW) == ()


def test_a_job_is_called_by_the_newest_delivery_that_waits_for_it(
    connection: sa.Connection,
) -> None:
    job = woken(connection, 1, at=1)
    received(connection, "older", job, at=1)
    received(connection, "newer", job, at=2)
    pulls.take(connection, job)
    received(connection, "next", woken(connection, 1, at=3), at=3)
    expected = Labels(repository="octo/cat", installation_id=5, delivery="newer")
    assert overview.labels(connection, job) == expected
    assert overview.labels(connection, Job(key=key(9), seq=1)) is None


def test_the_end_of_a_job_tells_when_its_deliveries_came(connection: sa.Connection) -> None:
    job = woken(connection, 1, at=1)
    received(connection, "one", job, at=40)
    received(connection, "two", job, at=60)
    assert sorted(pulls.finish(connection, job, now_ms=100)) == [40, 60]
    assert pulls.finish(connection, job, now_ms=100) == ()


def test_deliveries_are_listed_by_what_came_of_them(connection: sa.Connection) -> None:
    for number, guid in ((1, "done"), (2, "failed"), (3, "pending")):
        job = woken(connection, number, at=number)
        received(connection, guid, job, at=number)
        if guid != "pending":
            failure = FAILURE if guid == "failed" else None
            pulls.finish(connection, job, now_ms=9, failure=failure)
    deliveries.record(
        connection, Delivery(guid="ignored", event="star", ignored="not handled"), now_ms=4
    )

    def guids(outcome: Outcome | None) -> list[str]:
        return [one.guid for one in overview.newest(connection, outcome=outcome, limit=9)]

    assert guids(None) == ["ignored", "pending", "failed", "done"]
    assert guids(Outcome.FAILED) == ["failed"]
    assert guids(Outcome.PENDING) == ["pending"]
    row = overview.delivery(connection, "failed")
    assert row is not None
    assert (row.name, row.reason) == ("octo/cat#2", "GitHubError")
    assert [one.guid for one in overview.deliveries_of(connection, key(3), limit=9)] == ["pending"]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)  # in whose words it is asked
def test_each_question_is_answered_by_an_index(database: Database) -> None:
    """However much has ended: what does not use one reads every row there is."""
    asked: list[str] = []

    @sa.event.listens_for(database.engine, "before_cursor_execute")
    def remember(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.lstrip().startswith("SELECT"):
            asked.append(statement)

    with database.engine.begin() as connection:
        overview.backlog(connection, now_ms=NOW)
        overview.unfinished(connection, now_ms=NOW, limit=9)
        overview.given_up(connection, now_ms=NOW, limit=9)
        overview.job(connection, key(1), now_ms=NOW)
        overview.named(connection, "octo/cat", 1, now_ms=NOW)
        for outcome in (None, Outcome.FAILED, Outcome.PENDING):
            overview.newest(connection, outcome=outcome, limit=9)
        overview.delivery(connection, "one")
        overview.deliveries_of(connection, key(1), limit=9)
        woken(connection, 1, at=1)
        overview.labels(connection, Job(key=key(1), seq=1))
        plans = [
            (statement, row.detail)
            for statement in dict.fromkeys(asked)
            for row in connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", (1,) * statement.count("?")
            )
        ]
    assert len({statement for statement, _ in plans}) >= 12
    slow = [
        plan
        for plan in plans
        if plan[1].startswith("SCAN")
        and not any(index in plan[1] for index in _FEW)
        and not ("deliveries_received" in plan[1] and "WHERE" not in plan[0])
    ]
    assert slow == []


# Indexes of what has not ended or was given up.
_FEW = ("pull_states_due", "pull_states_given_up", "pull_states_unfinished", "deliveries_failed")
