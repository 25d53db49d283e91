from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.store import executors

SILENCE = timedelta(seconds=10)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> "Clock":
    clock = Clock()
    monkeypatch.setattr(executors, "_now_ms", lambda _connection: clock.seconds * 1000)
    return clock


class Clock:
    seconds = 100


def beat(connection: sa.Connection, executor: str) -> set[str] | None:
    alive = executors.beat(connection, executor, silence=SILENCE)
    return None if alive is None else set(alive)


def test_who_says_so_in_time_lives(connection: sa.Connection, clock: Clock) -> None:
    assert beat(connection, "a") is None  # it has just come
    assert beat(connection, "b") is None
    clock.seconds += 10
    assert beat(connection, "b") == {"a", "b"}
    clock.seconds += 1
    assert beat(connection, "b") == {"b"}


def test_who_was_silent_itself_takes_nobody_for_dead(
    connection: sa.Connection, clock: Clock
) -> None:
    """The database may have been away for all of them."""
    for name in ("a", "b"):
        beat(connection, name)
    clock.seconds += 11
    assert beat(connection, "a") is None
    clock.seconds += 2
    assert beat(connection, "b") is None
    assert beat(connection, "a") == {"a", "b"}


def test_who_leaves_is_gone_at_once(connection: sa.Connection) -> None:
    for name in ("a", "b"):
        beat(connection, name)
    executors.leave(connection, "a")
    assert beat(connection, "b") == {"b"}


def test_a_head_is_held_by_one_process(connection: sa.Connection) -> None:
    for name in ("a", "b"):
        beat(connection, name)
    head, other = (7, "a" * 40), (7, "b" * 40)
    assert executors.hold(connection, "a", *head)
    assert executors.hold(connection, "a", *head)  # it knows itself what it does twice
    assert not executors.hold(connection, "b", *head)
    assert executors.hold(connection, "b", *other)
    executors.release(connection, "b", *head)  # is not its own
    assert not executors.hold(connection, "b", *head)
    executors.release(connection, "a", *head)
    assert executors.hold(connection, "b", *head)


def test_the_dead_hold_nothing(connection: sa.Connection) -> None:
    for name in ("a", "b"):
        beat(connection, name)
    executors.hold(connection, "a", 7, "a" * 40)
    executors.leave(connection, "a")
    assert executors.hold(connection, "b", 7, "a" * 40)


def test_the_clock_is_the_time(connection: sa.Connection) -> None:
    """Not that of the transaction's begin, which PostgreSQL's now() would be."""
    first = executors._now_ms(connection)
    connection.exec_driver_sql(
        "SELECT pg_sleep(0.002)" if connection.dialect.name == "postgresql" else "SELECT 1"
    )
    assert 1_700_000_000_000 < first < executors._now_ms(connection) + 1
