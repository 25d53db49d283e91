"""The processes that take jobs: each says every few seconds that it lives.

What a process leaves behind when it dies, or is silent for too long, is free for the others. Times
are the database's own: machines need not agree on theirs.
"""

import time
from datetime import timedelta
from typing import Final

import sqlalchemy as sa

from bot.store import claims


def beat(connection: sa.Connection, executor: str, *, silence: timedelta) -> frozenset[str] | None:
    """Write down that a process lives, and forget those that were silent for longer than silence.
    What they claimed is no longer theirs.

    The processes that live. None when this one is new or was silent for too long itself: the others
    may have been cut off from the database just as it was, so no silence means anything yet.
    """
    now = _now_ms(connection)
    oldest = now - silence // timedelta(milliseconds=1)
    seen = connection.execute(_SEEN, {"id": executor}).scalar()
    connection.execute(_BEAT, {"id": executor, "now": now})
    if seen is None or seen < oldest:
        return None
    if connection.execute(_FORGET, {"oldest": oldest}).rowcount:
        claims.take_from_the_dead(connection)
    return frozenset(connection.execute(_ALIVE).scalars())


_SEEN: Final = sa.text("SELECT seen_ms FROM executors WHERE id = :id")
_BEAT: Final = sa.text("""
    INSERT INTO executors (id, seen_ms) VALUES (:id, :now)
    ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms
""")
_FORGET: Final = sa.text("DELETE FROM executors WHERE seen_ms < :oldest")
_ALIVE: Final = sa.text("SELECT id FROM executors")


def leave(connection: sa.Connection, executor: str) -> None:
    """A process takes no more jobs: what it has not done is free at once."""
    connection.execute(_LEAVE, {"id": executor})


_LEAVE: Final = sa.text("DELETE FROM executors WHERE id = :id")


def hold(connection: sa.Connection, executor: str, repository_id: int, head_sha: str) -> bool:
    """Make a process the one that reads and publishes for a head; False while another one is."""
    row = {"executor": executor, "repository_id": repository_id, "head_sha": head_sha}
    return connection.execute(_HOLD, row).first() is not None


_HOLD: Final = sa.text("""
    INSERT INTO held_heads (repository_id, head_sha, executor)
    VALUES (:repository_id, :head_sha, :executor)
    ON CONFLICT (repository_id, head_sha) DO UPDATE SET executor = excluded.executor
        WHERE held_heads.executor = excluded.executor
            OR NOT EXISTS (SELECT 1 FROM executors WHERE id = held_heads.executor)
    RETURNING executor
""")


def release(connection: sa.Connection, executor: str, repository_id: int, head_sha: str) -> None:
    """Let go of a head, unless another process has taken it meanwhile."""
    row = {"executor": executor, "repository_id": repository_id, "head_sha": head_sha}
    connection.execute(_RELEASE, row)


_RELEASE: Final = sa.text("""
    DELETE FROM held_heads
    WHERE repository_id = :repository_id AND head_sha = :head_sha AND executor = :executor
""")


def _now_ms(connection: sa.Connection) -> int:
    if connection.dialect.name == "sqlite":  # a file of this machine
        return time.time_ns() // 1_000_000
    now: int = connection.execute(_CLOCK).scalar_one()
    return now


_CLOCK: Final = sa.text("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)")
