"""Which heads of a pull request people could see our verdicts on, and since when."""

from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey


def show(connection: sa.Connection, key: PullKey, head_sha: str, *, now_ms: int) -> None:
    """From now on people can see the verdicts on a head."""
    connection.execute(_SHOW, {**_of(key), "head_sha": head_sha, "now": now_ms})


_SHOW: Final = sa.text("""
    INSERT INTO shown_heads (repository_id, number, head_sha, shown_ms)
    VALUES (:repository_id, :number, :head_sha, :now)
    ON CONFLICT (repository_id, number, head_sha) DO UPDATE SET shown_ms = excluded.shown_ms
        WHERE shown_heads.shown_ms < (
            SELECT MAX(shown_ms) FROM shown_heads AS other
            WHERE other.repository_id = :repository_id AND other.number = :number
        )
""")  # the head that was shown last keeps its time, one that comes back gets a new one


def seen(connection: sa.Connection, key: PullKey, *, before_ms: int) -> str | None:
    """The newest head whose verdicts could be seen at a time; None when none could."""
    named = {**_of(key), "before": before_ms}
    sha: str | None = connection.execute(_SEEN, named).scalar()
    return sha


_SEEN: Final = sa.text("""
    SELECT head_sha FROM shown_heads
    WHERE repository_id = :repository_id AND number = :number AND shown_ms < :before
    ORDER BY shown_ms DESC LIMIT 1
""")


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
