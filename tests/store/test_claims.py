"""Who may still write for a job; tests/scenarios/test_two_workers.py shows what for."""

from datetime import timedelta

import sqlalchemy as sa

from bot.store import claims, executors
from bot.store.pulls import PullKey

KEY = PullKey(repository_id=7, number=1)
OTHER = PullKey(repository_id=7, number=2)


def test_who_began_a_job_last_has_it(connection: sa.Connection) -> None:
    first, beside = claims.take(connection, KEY, "a"), claims.take(connection, OTHER, "a")
    assert claims.holds(connection, first)
    second = claims.take(connection, KEY, "b")
    assert [claims.holds(connection, one) for one in (first, second, beside)] == [False, True, True]
    third = claims.take(connection, KEY, "a")  # the same process once more: another beginning
    assert [claims.holds(connection, one) for one in (first, second, third)] == [False, False, True]


def test_who_counts_as_dead_has_nothing_even_when_it_wakes(connection: sa.Connection) -> None:
    for name in ("a", "b"):
        executors.beat(connection, name, silence=timedelta(hours=1))
    slept, mine = claims.take(connection, KEY, "a"), claims.take(connection, OTHER, "b")
    connection.exec_driver_sql("UPDATE executors SET seen_ms = 0 WHERE id = 'a'")
    executors.beat(connection, "b", silence=timedelta(hours=1))
    executors.beat(connection, "a", silence=timedelta(hours=1))
    assert [claims.holds(connection, one) for one in (slept, mine)] == [False, True]
