"""What maintainers accepted on a pull request: a memory that applies, and that it goes against.

An acknowledgement is of a memory as it stood then: when its file changes on the base branch, the
maintainer has not seen what it says now.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """One memory, and who accepted what about it."""

    path: str  # of the memory's file; of an entry of one, with # and its id
    oid: str  # git's object id of that file; of an entry, a hash of its text
    actor: str  # login, as it was then
    reason: str  # one line, in which nothing looks like a credential; "" for none
    comment: str  # the anchor of the comment


def acknowledge(
    connection: sa.Connection,
    key: PullKey,
    made: Iterable[Acknowledgement],
    *,
    written_ms: int,
    now_ms: int,
) -> None:
    """Keep acknowledgements. The newest of a memory counts, unless it was taken back since.

    written_ms: when the comment that makes them was written.
    """
    named = {"repository_id": key.repository_id, "number": key.number, "now": now_ms}
    for one in made:
        connection.execute(_ADD, {**named, "written": written_ms, **asdict(one)})


_ADD: Final = sa.text("""
    INSERT INTO acknowledgements
        (repository_id, number, path, oid, actor, reason, comment, at_ms)
    VALUES (:repository_id, :number, :path, :oid, :actor, :reason, :comment, :now)
    ON CONFLICT (repository_id, number, path) DO UPDATE
        SET oid = excluded.oid, actor = excluded.actor, reason = excluded.reason,
            comment = excluded.comment, at_ms = excluded.at_ms,
            undone_by = NULL, undone_ms = NULL
        WHERE COALESCE(acknowledgements.undone_ms, 0) <= :written
""")


def acknowledged(connection: sa.Connection, key: PullKey) -> tuple[Acknowledgement, ...]:
    """All that hold on a pull request, the oldest first."""
    named = {"repository_id": key.repository_id, "number": key.number}
    return tuple(
        Acknowledgement(
            path=row.path, oid=row.oid, actor=row.actor, reason=row.reason, comment=row.comment
        )
        for row in connection.execute(_OF, named)
    )


_OF: Final = sa.text("""
    SELECT path, oid, actor, reason, comment FROM acknowledgements
    WHERE repository_id = :repository_id AND number = :number AND undone_by IS NULL
    ORDER BY at_ms, path
""")
