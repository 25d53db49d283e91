"""Heads that people could see something of: a maintainer decides on no others.

What is about to be published is written down first, and again once it stands there. Between the two
a process may end, or not hear whether GitHub took it: then people may have seen it, or not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What could be seen of a pull request at a time: heads, and since when, in Unix ms."""

    head_sha: str | None  # the newest head whose verdicts were shown; None when none were
    shown_ms: int = 0
    perhaps: Mapping[str, int]  # heads that were about to be shown after that


def begin_to_show(connection: sa.Connection, key: PullKey, head_sha: str, *, now_ms: int) -> None:
    """From now on people may see the verdicts on a head, or may not."""
    connection.execute(_BEGIN, {**_of(key), "head_sha": head_sha, "now": now_ms})


_BEGIN: Final = sa.text("""
    INSERT INTO showing_heads (repository_id, number, head_sha, began_ms)
    VALUES (:repository_id, :number, :head_sha, :now)
    ON CONFLICT (repository_id, number, head_sha) DO UPDATE SET began_ms = excluded.began_ms
        WHERE showing_heads.began_ms < (
            SELECT MAX(shown_ms) FROM shown_heads AS other
            WHERE other.repository_id = :repository_id AND other.number = :number
        )
""")  # what is tried again keeps its time, unless another head was shown meanwhile


def show(connection: sa.Connection, key: PullKey, head_sha: str, *, now_ms: int) -> None:
    """From now on people can see the verdicts on a head."""
    named = {**_of(key), "head_sha": head_sha, "now": now_ms}
    connection.execute(_SHOW, named)
    connection.execute(_BEGUN, named)


_SHOW: Final = sa.text("""
    INSERT INTO shown_heads (repository_id, number, head_sha, shown_ms)
    VALUES (:repository_id, :number, :head_sha, :now)
    ON CONFLICT (repository_id, number, head_sha) DO UPDATE SET shown_ms = excluded.shown_ms
        WHERE shown_heads.shown_ms < (
            SELECT MAX(shown_ms) FROM shown_heads AS other
            WHERE other.repository_id = :repository_id AND other.number = :number
        )
""")  # the head that was shown last keeps its time, one that comes back gets a new one
_BEGUN: Final = sa.text("""
    DELETE FROM showing_heads
    WHERE repository_id = :repository_id AND number = :number AND head_sha = :head_sha
""")


def seen(connection: sa.Connection, key: PullKey, *, before_ms: int) -> Seen:
    """What could be seen at a time."""
    named = {**_of(key), "before": before_ms}
    shown = connection.execute(_SEEN, named).first()
    since_ms = shown.shown_ms if shown else 0
    rows = connection.execute(_PERHAPS, named | {"since": since_ms})
    return Seen(
        head_sha=shown.head_sha if shown else None,
        shown_ms=since_ms,
        perhaps={row.head_sha: row.began_ms for row in rows},
    )


_SEEN: Final = sa.text("""
    SELECT head_sha, shown_ms FROM shown_heads
    WHERE repository_id = :repository_id AND number = :number AND shown_ms < :before
    ORDER BY shown_ms DESC LIMIT 1
""")
_PERHAPS: Final = sa.text("""
    SELECT head_sha, began_ms FROM showing_heads
    WHERE repository_id = :repository_id AND number = :number
        AND began_ms < :before AND began_ms >= :since
    ORDER BY began_ms, head_sha
""")


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
