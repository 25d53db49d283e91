"""Whose turn it is to compare with GitHub, how far that is, and what is tried again when."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from threading import Barrier

import sqlalchemy as sa

from bot.store import deliveries, pulls
from bot.store import reconciliation as stored
from bot.store.database import Database
from bot.store.deliveries import Delivery
from bot.store.pulls import Failure, PullKey, Wake
from bot.store.reconciliation import LEASE_MS, LogProgress, Looked, LostDelivery

MINUTE = 60_000
KEY = PullKey(repository_id=7, number=1)
HEAD = "a" * 40


def begins(connection: sa.Connection, holder: str, now_ms: int, before: int = 10**9) -> bool:
    return stored.begin(connection, holder, ended_before_ms=before, now_ms=now_ms)


def test_one_at_a_time_has_the_lease(connection: sa.Connection) -> None:
    assert begins(connection, "one", 1_000)
    assert not begins(connection, "two", 1_000 + LEASE_MS)
    assert stored.renew(connection, "one", now_ms=LEASE_MS)
    assert not begins(connection, "two", 2 * LEASE_MS)
    assert begins(connection, "two", 2 * LEASE_MS + 1)  # the first one is dead, or sleeps
    assert not stored.renew(connection, "one", now_ms=2 * LEASE_MS + 2)
    stored.end(connection, "one", is_over=True, now_ms=5)  # it wakes up, and takes nothing back
    assert not begins(connection, "one", 2 * LEASE_MS + 3)


def test_of_those_that_come_at_once_one_gets_the_lease(url: str, database: Database) -> None:
    """Each with a connection of its own, as processes have."""
    count, rounds = 4, 10
    databases = [database, *(Database(url) for _ in range(count - 1))]
    together = Barrier(count)

    def come(number: int) -> list[bool]:
        took = []
        for turn in range(rounds):
            act = partial(begins, holder=f"{number}", now_ms=turn * 2 * LEASE_MS + 1)
            together.wait(timeout=20)
            took.append(databases[number].transact_here(act))
        return took

    with ThreadPoolExecutor(count) as threads:
        took = list(threads.map(come, range(count)))
    for one in databases[1:]:
        one.close()
    assert [sum(turn) for turn in zip(*took, strict=True)] == [1] * rounds


def test_who_comes_while_another_takes_the_lease_waits_and_gets_none(
    url: str, database: Database
) -> None:
    other = Database(url)
    with ThreadPoolExecutor(1) as threads, database.engine.connect() as connection:
        with connection.begin():
            assert begins(connection, "one", 1_000)
            late = threads.submit(other.transact_here, partial(begins, holder="two", now_ms=1_001))
        assert not late.result(timeout=20)
    other.close()


def test_a_round_that_was_over_a_moment_ago_is_not_begun_again(connection: sa.Connection) -> None:
    assert begins(connection, "one", 1_000)
    stored.end(connection, "one", is_over=False, now_ms=2_000)  # cut short
    assert begins(connection, "two", 2_001, before=1_500)
    stored.end(connection, "two", is_over=True, now_ms=3_000)
    assert not begins(connection, "one", 3_001, before=2_999)
    assert begins(connection, "one", 9_000, before=3_000)


def lost(connection: sa.Connection, now_ms: int, since_ms: int = 0) -> list[tuple[str, int]]:
    found = stored.lost(connection, since_ms=since_ms, now_ms=now_ms, limit=10)
    return [(one.guid, one.tries) for one in found]


def test_what_was_recorded_is_not_lost(connection: sa.Connection) -> None:
    listed = [
        LostDelivery(guid=guid, delivery_id=number, delivered_ms=number)
        for number, guid in ((3, "c"), (2, "b"), (1, "a"))
    ]
    deliveries.record(connection, Delivery(guid="b", event="push"), now_ms=1)
    progress = LogProgress(read_ms=5, began_ms=9, cursor="next", only_failures=True)
    stored.note_page(connection, listed, progress)
    stored.note_page(connection, listed, progress)
    assert stored.log_progress(connection) == progress
    assert lost(connection, 10) == [("a", 0), ("c", 0)]
    stored.asked_again(connection, listed[2], now_ms=10)
    assert lost(connection, 10 + MINUTE - 1) == [("c", 0)]
    assert lost(connection, 10 + MINUTE) == [("a", 1), ("c", 0)]
    deliveries.record(connection, Delivery(guid="c", event="push"), now_ms=1)
    assert lost(connection, MINUTE**2) == [("a", 1)]
    assert lost(connection, MINUTE**2, since_ms=2) == []


def test_how_far_an_installation_was_looked_through(connection: sa.Connection) -> None:
    stored.keep_looked(connection, 5, Looked(page=3, looked_ms=0))
    stored.keep_looked(connection, 5, Looked(page=1, looked_ms=9))
    stored.keep_looked(connection, 6, Looked(page=2, looked_ms=0))
    stored.forget_installations(connection, [6])
    assert stored.looked(connection) == {5: Looked(page=1, looked_ms=9)}


def test_the_same_head_is_tried_again_after_growing_pauses(connection: sa.Connection) -> None:
    def may(minute: int, head: str = HEAD) -> bool:
        return stored.try_again(connection, KEY, head, now_ms=minute * MINUTE)

    tried = [minute for minute in range(0, 5 * 24 * 60, 5) if may(minute)]
    pauses = [after - before for before, after in pairwise(tried)]
    assert pauses == [15, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440]
    assert may(5, head="b" * 40)


def test_what_was_given_up_is_due_until_it_was_tried_often(connection: sa.Connection) -> None:
    wake = Wake(key=KEY, installation_id=5, repository="octo/cat", head_sha=HEAD)

    def fail() -> None:
        job, _ = pulls.wake(connection, wake, now_ms=1)
        pulls.take(connection, job)
        pulls.finish(connection, job, now_ms=1, failure=Failure(error="E", request_id="1"))

    def due(now_ms: int) -> tuple[Wake, ...]:
        return stored.given_up(connection, 5, now_ms=now_ms, limit=10)

    fail()
    assert due(1) == (wake,)
    assert stored.given_up(connection, 6, now_ms=1, limit=10) == ()
    now, tries = 1, 0
    while due(now):
        assert stored.try_again(connection, KEY, HEAD, now_ms=now)
        assert due(now) == ()
        now, tries = now + 24 * 60 * MINUTE, tries + 1
    assert tries == 8
    job, _ = pulls.wake(connection, wake, now_ms=1)
    pulls.finish(connection, job, now_ms=1)
    assert due(10**12) == ()
