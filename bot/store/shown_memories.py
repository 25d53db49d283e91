"""Which text of each memory that applies people could see on a pull request: they accept no other.

Heads are in shown.py. What applies stands on the base branch, which moves without a push here. What
is about to be shown is written down first, and again once it stands there, as with heads.

So is the base branch itself, as BASE_REF: by another one a pull request changes other memories.
"""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from bot.store.pulls import PullKey

BASE_REF: Final = ""  # stands in the place of an anchor, which none is


def begin_to_show(
    connection: sa.Connection, key: PullKey, versions: Mapping[str, str], *, now_ms: int
) -> None:
    """From now on people may see these memories, or may not. versions: a hash of each by anchor.

    What is tried again keeps its time.
    """
    newest = {row.path: row.oid for row in connection.execute(_NEWEST, _of(key))}
    new = {path: oid for path, oid in versions.items() if newest.get(path) != oid}
    _put(connection, key, new, began_ms=now_ms, shown_ms=None)


def show(
    connection: sa.Connection, key: PullKey, versions: Mapping[str, str], *, now_ms: int
) -> None:
    """From now on people can see these memories. What was shown last keeps its time."""
    newest = {row.path: row for row in connection.execute(_NEWEST, _of(key))}
    begun, new = {}, {}
    for path, oid in versions.items():
        last = newest.get(path)
        if last is None or last.oid != oid:
            new[path] = oid
        elif last.shown_ms is None:
            begun[path] = last
    _put(connection, key, new, began_ms=now_ms, shown_ms=now_ms)
    for path, last in begun.items():
        _put(connection, key, {path: last.oid}, began_ms=last.began_ms, shown_ms=now_ms)


def seen(connection: sa.Connection, key: PullKey, *, before_ms: int) -> dict[str, str]:
    """The text of each memory that could be seen last at a time, by anchor.

    "" where another one was about to be shown, so that nobody knows which was seen.
    """
    return {
        row.path: row.oid if row.shown_ms is not None and row.shown_ms < before_ms else ""
        for row in connection.execute(_NEWEST, _of(key) | {"before": before_ms})
    }


_NEWEST: Final = sa.text("""
    SELECT path, oid, began_ms, shown_ms FROM shown_memories
    WHERE repository_id = :repository_id AND number = :number
        AND (:before IS NULL OR began_ms < :before)
    ORDER BY began_ms, oid
""").bindparams(sa.bindparam("before", type_=sa.BigInteger))  # of each path the last row counts


def _put(
    connection: sa.Connection,
    key: PullKey,
    versions: Mapping[str, str],
    *,
    began_ms: int,
    shown_ms: int | None,
) -> None:
    rows = [
        {**_of(key), "path": path, "oid": oid, "began": began_ms, "shown": shown_ms}
        for path, oid in sorted(versions.items())
    ]
    if rows:
        connection.execute(_PUT, rows)


_PUT: Final = sa.text("""
    INSERT INTO shown_memories (repository_id, number, path, oid, began_ms, shown_ms)
    VALUES (:repository_id, :number, :path, :oid, :began, :shown)
    ON CONFLICT (repository_id, number, path, oid, began_ms) DO UPDATE
        SET shown_ms = excluded.shown_ms
""")


def _of(key: PullKey) -> dict[str, Any]:
    return {"repository_id": key.repository_id, "number": key.number, "before": None}
