"""The earlier changes of repositories, as counts under keyed hashes: no words, no paths.

A closed pull request is counted once. Old ones fade: whenever MAX_CHANGES are counted, all counts
are halved, and what comes to nothing is forgotten.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import sqlalchemy as sa

MAX_CHANGES: Final = 1_000
_HOUR_MS: Final = 3_600_000
_AT_ONCE: Final = 500  # keys of one statement


@dataclass(frozen=True, slots=True, kw_only=True)
class PastChange:
    """A closed pull request, and the hashes of what it is counted under."""

    number: int
    hashes: frozenset[int] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What is known of a repository's earlier changes."""

    changes: int = 0
    counts: dict[int, int] = field(default_factory=dict)  # by hash, of those that were asked for
    is_seeded: bool = False  # GitHub told the changes from before our time


def counted(connection: sa.Connection, repository_id: int, hashes: Collection[int]) -> Counted:
    """How often each of some keys was counted, and how many changes were."""
    of = {"repository_id": repository_id}
    known = connection.execute(_KNOWN, of).first()
    if known is None:
        return Counted()
    counts: dict[int, int] = {}
    for some in _batches(sorted(hashes)):
        rows = connection.execute(_COUNTS, of | {"hashes": some})
        counts |= {row.key_hash: row.changes for row in rows}
    return Counted(changes=known.changes, counts=counts, is_seeded=bool(known.is_seeded))


_KNOWN: Final = sa.text("""
    SELECT changes, is_seeded FROM histories WHERE repository_id = :repository_id
""")
_COUNTS: Final = sa.text("""
    SELECT key_hash, changes FROM history_counts
    WHERE repository_id = :repository_id AND key_hash IN :hashes
""").bindparams(sa.bindparam("hashes", expanding=True))


def may_seed(connection: sa.Connection, repository_id: int, *, now_ms: int) -> bool:
    """Whether GitHub is to be asked now for the changes from before our time.

    True for one caller; for another not before an hour, should that one not succeed.
    """
    row = {"repository_id": repository_id, "now": now_ms, "before": now_ms - _HOUR_MS}
    return connection.execute(_ASK, row).first() is not None


_ASK: Final = sa.text("""
    INSERT INTO histories (repository_id, changes, asked_ms, is_seeded)
    VALUES (:repository_id, 0, :now, FALSE)
    ON CONFLICT (repository_id) DO UPDATE SET asked_ms = excluded.asked_ms
        WHERE NOT histories.is_seeded AND histories.asked_ms <= :before
    RETURNING repository_id
""")


def count(
    connection: sa.Connection,
    repository_id: int,
    changes: Sequence[PastChange],
    *,
    seeds: bool = False,
) -> None:
    """Count changes that were not counted yet. seeds: these are those from before our time."""
    of = {"repository_id": repository_id}
    connection.execute(_BEGIN, of)  # locks the row, so that processes take turns
    new = [
        change
        for change in sorted(changes, key=lambda change: change.number)
        if connection.execute(_MARK, of | {"number": change.number}).first() is not None
    ]
    added = Counter(key_hash for change in new for key_hash in change.hashes)
    if added:
        rows = [of | {"key_hash": one, "added": times} for one, times in sorted(added.items())]
        connection.execute(_ADD, rows)
    row = of | {"added": len(new), "seeds": seeds}
    if connection.execute(_COUNTED, row).scalar_one() > MAX_CHANGES:
        for statement in _FADE:
            connection.execute(statement, of)


_BEGIN: Final = sa.text("""
    INSERT INTO histories (repository_id, changes, asked_ms, is_seeded)
    VALUES (:repository_id, 0, 0, FALSE)
    ON CONFLICT (repository_id) DO UPDATE SET changes = histories.changes
""")
_MARK: Final = sa.text("""
    INSERT INTO counted_pulls (repository_id, number) VALUES (:repository_id, :number)
    ON CONFLICT (repository_id, number) DO NOTHING
    RETURNING number
""")
_ADD: Final = sa.text("""
    INSERT INTO history_counts (repository_id, key_hash, changes)
    VALUES (:repository_id, :key_hash, :added)
    ON CONFLICT (repository_id, key_hash)
        DO UPDATE SET changes = history_counts.changes + excluded.changes
""")
_COUNTED: Final = sa.text("""
    UPDATE histories SET changes = changes + :added, is_seeded = is_seeded OR :seeds
    WHERE repository_id = :repository_id
    RETURNING changes
""")
_FADE: Final = (
    sa.text("UPDATE histories SET changes = changes / 2 WHERE repository_id = :repository_id"),
    sa.text("UPDATE history_counts SET changes = changes / 2 WHERE repository_id = :repository_id"),
    sa.text("DELETE FROM history_counts WHERE repository_id = :repository_id AND changes = 0"),
)


def _batches(hashes: Sequence[int]) -> list[Sequence[int]]:
    return [hashes[start : start + _AT_ONCE] for start in range(0, len(hashes), _AT_ONCE)]
