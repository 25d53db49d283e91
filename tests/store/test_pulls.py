import sqlite3
from dataclasses import replace

import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store import deliveries, pulls
from bot.store.database import Database
from bot.store.deliveries import Delivery, Outcome
from bot.store.pulls import Failure, Job, Neighbours, PullKey, PullState, Wake

KEY = PullKey(repository_id=7, number=1)
WAKE = Wake(key=KEY, installation_id=5, repository="octo/cat")
FAILURE = Failure(error="Boom", request_id="abc")


def _woken(connection: sa.Connection) -> Job:
    job, is_new = pulls.wake(connection, WAKE, now_ms=1)
    assert is_new
    return job


def test_wakes_share_a_job_until_it_begins(connection: sa.Connection) -> None:
    first = _woken(connection)
    assert pulls.wake(connection, WAKE, now_ms=2) == (first, False)
    assert pulls.take(connection, first) == 1
    second = _woken(connection)
    assert (first.id, second.id) == ("7:1:1", "7:1:2")


def test_a_job_is_taken_again_after_a_crash_but_not_after_its_end(
    connection: sa.Connection,
) -> None:
    job = _woken(connection)
    assert [pulls.take(connection, job) for _ in range(2)] == [1, 2]
    pulls.finish(connection, job, now_ms=1)
    assert pulls.take(connection, job) is None


def test_a_newer_job_stands_in_for_an_older_one(connection: sa.Connection) -> None:
    older = _woken(connection)
    pulls.take(connection, older)
    newer = _woken(connection)
    assert pulls.take(connection, older) is None
    assert pulls.follow_up(connection, older, covers_wakes=False) is None
    assert pulls.take(connection, newer) == 1


def test_a_failure_counts_and_a_pause_does_not(connection: sa.Connection) -> None:
    job = _woken(connection)
    pulls.take(connection, job)
    retry = pulls.follow_up(connection, job, covers_wakes=False)
    assert retry is not None
    assert pulls.take(connection, retry) == 2
    later = pulls.follow_up(connection, retry, covers_wakes=True, counts=False)
    assert later is not None
    assert pulls.wake(connection, WAKE, now_ms=1) == (later, False)
    assert pulls.take(connection, later) == 2


def test_the_end_of_a_job_settles_what_waited_for_it_and_nothing_else(
    connection: sa.Connection,
) -> None:
    def receive(guid: str) -> Job:
        deliveries.record(
            connection, Delivery(guid=guid, event="pull_request", repository_id=7), now_ms=1
        )
        job, _ = pulls.wake(connection, WAKE, now_ms=1)
        deliveries.await_job(connection, guid, number=KEY.number, seq=job.seq)
        return job

    first = receive("one")
    receive("two")
    pulls.take(connection, first)
    receive("three")
    pulls.finish(connection, first, now_ms=2, failure=FAILURE)
    outcomes = [deliveries.outcome(connection, guid) for guid in ("one", "two", "three")]
    assert outcomes == [Outcome.FAILED, Outcome.FAILED, Outcome.PENDING]
    state = pulls.state(connection, KEY)
    assert state is not None
    assert (state.busy, state.error, state.request_id) == (True, "Boom", "abc")


def test_labels_follow_the_last_wake_and_a_head_once_heard_stays(
    connection: sa.Connection,
) -> None:
    def hear(repository: str, head_sha: str | None) -> None:
        wake = Wake(key=KEY, installation_id=6, repository=repository, head_sha=head_sha)
        pulls.wake(connection, wake, now_ms=1)

    hear("octo/cat", "a" * 40)
    hear("octo/dog", None)
    state = pulls.state(connection, KEY)
    assert state is not None
    assert (state.installation_id, state.repository) == (6, "octo/dog")
    assert state.head_sha == "a" * 40


def test_what_was_never_woken_has_no_state(connection: sa.Connection) -> None:
    assert pulls.state(connection, KEY) is None


class _Queue:
    """A queue that does to one pull request's jobs whatever can happen to them."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self.waiting: list[Job] = []
        self.running: list[Job] = []
        self.wakes = 0
        self.covered = 0  # wakes that came before the last job that did its work to the end began
        self._wakes_at_begin = 0

    def wake(self) -> None:
        self.wakes += 1
        job, is_new = pulls.wake(self.connection, WAKE, now_ms=1)
        self.waiting += [job] if is_new else []

    def begin(self) -> None:
        if self.waiting and not self.running:
            job = self.waiting.pop(0)
            if pulls.take(self.connection, job) is not None:
                self.running.append(job)
                self._wakes_at_begin = self.wakes

    def end(self) -> None:
        if self.running:
            pulls.finish(self.connection, self.running.pop(), now_ms=1)
            self.covered = self._wakes_at_begin

    def fail(self) -> None:
        self._again(covers_wakes=False)

    def pause(self) -> None:
        self._again(covers_wakes=True, counts=False)

    def crash(self) -> None:
        self.waiting += self.running
        self.running.clear()

    def shuffle(self) -> None:
        self.waiting.reverse()

    def drain(self) -> None:
        while self.waiting or self.running:
            self.begin()
            self.end()

    def _again(self, *, covers_wakes: bool, counts: bool = True) -> None:
        if self.running:
            following = pulls.follow_up(
                self.connection, self.running.pop(), covers_wakes=covers_wakes, counts=counts
            )
            self.waiting += [] if following is None else [following]


ACTS = ("wake", "begin", "end", "fail", "pause", "crash", "shuffle")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(acts=st.lists(st.sampled_from(ACTS)))
def test_whatever_happens_each_wake_is_followed_by_a_whole_run(
    database: Database, acts: list[str]
) -> None:
    with database.engine.connect() as connection, connection.begin() as transaction:
        queue = _Queue(connection)
        for act in acts:
            getattr(queue, act)()
        queue.drain()
        assert queue.covered == queue.wakes
        assert pulls.unfinished(connection) == ()
        transaction.rollback()


def test_pull_requests_that_share_a_head_are_known_by_it(connection: sa.Connection) -> None:
    heads = {1: "a" * 40, 2: "a" * 40, 3: "b" * 40, 4: None, 5: "c" * 40}
    for number, head in heads.items():
        key = PullKey(repository_id=7, number=number)
        wake = Wake(key=key, installation_id=5, repository="octo/cat", head_sha=head)
        pulls.wake(connection, wake, now_ms=1)
    elsewhere = PullKey(repository_id=8, number=6)
    pulls.wake(
        connection,
        Wake(key=elsewhere, installation_id=5, repository="octo/dog", head_sha="a" * 40),
        now_ms=1,
    )

    def found(*sought: str | None) -> list[int]:
        return [wake.key.number for wake in pulls.sharing(connection, KEY, sought)]

    assert found("a" * 40) == [2]
    assert found("a" * 40, "b" * 40, None) == [2, 3]
    assert found(None) == found() == []

    def beside(number: int, head: str | None) -> tuple[list[int], list[int], bool]:
        wake = replace(WAKE, key=replace(KEY, number=number), head_sha=head)
        found = pulls.neighbours(connection, wake)
        here, left = ([one.key.number for one in some] for some in (found.here, found.left))
        return here, left, found.moved

    assert beside(1, "b" * 40) == ([3], [2], True)
    assert beside(1, "a" * 40) == beside(1, None) == ([2], [], False)
    assert beside(4, "d" * 40) == beside(9, None) == ([], [], False)
    assert beside(9, "a" * 40) == ([1, 2], [], True)


def test_what_unsettles_a_head_is_settled_for_all_that_share_it(connection: sa.Connection) -> None:
    def state(number: int) -> PullState:
        found = pulls.state(connection, PullKey(repository_id=7, number=number))
        assert found is not None
        return found

    def hear(number: int, head: str, now_ms: int, *, unsettles: bool = True) -> None:
        key = replace(KEY, number=number)
        wake = replace(WAKE, key=key, head_sha=head * 40, unsettles=unsettles)
        pulls.wake(connection, wake, now_ms=now_ms)

    for number, head in ((1, "a"), (2, "a"), (3, "b")):
        hear(number, head, 5)
    hear(1, "a", 6, unsettles=False)
    read = state(1)
    assert read.unsettled_ms == 5
    hear(2, "a", 7)  # said anew, since then
    pulls.settle(connection, read)
    assert [state(number).unsettled_ms for number in (1, 2, 3)] == [None, 7, 5]
    pulls.settle(connection, state(2))
    hear(1, "a", 8)
    hear(2, "a", 8)
    pulls.settle(connection, replace(state(1), head_sha=None))  # for itself alone
    assert [state(number).unsettled_ms for number in (1, 2, 3)] == [None, 8, 5]
    pulls.settle(connection, state(2))
    assert [state(number).unsettled_ms for number in (1, 2, 3)] == [None, None, 5]


def test_a_head_is_looked_up_in_its_index(connection: sa.Connection) -> None:
    """SQLite would rather read all pull requests of a repository, given a reason."""
    asked: list[str] = []
    is_file = connection.dialect.name == "sqlite"  # PostgreSQL chooses by how much there is
    if is_file:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.set_trace_callback(asked.append)
    assert pulls.sharing(connection, KEY, ["a" * 40, "b" * 40]) == ()
    assert pulls.neighbours(connection, WAKE) == Neighbours()
    assert len(asked) == (2 if is_file else 0)
    for text in asked.copy():
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")
        used = plan.all()[0].detail
        assert "USING INDEX pull_states_head (repository_id=? AND head_sha=?)" in used
