"""Taking back what commands kept without a commit (acknowledgements.py, dismissals.py).

A row stays, with who took it back. It counts again when the same is said in a comment that was
written later: a command that is tried again revives nothing.
"""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa

from bot.core.kept import Kept, KeptVerb
from bot.store.pulls import PullKey


def kept(connection: sa.Connection, key: PullKey, *, by: str) -> tuple[Kept, ...]:
    """What is acknowledged on a pull request and ignored in its repository, the oldest first.

    by: whose undoing counts as not done yet, so that it can be planned once more.
    """
    named = {"repository_id": key.repository_id, "number": key.number, "by": by}
    return tuple(
        Kept(
            verb=row.verb,
            name=row.name,
            number=row.number,
            comment=row.comment or "",
            at_ms=row.at_ms,
            is_undone=row.undone_by is not None,
        )
        for row in connection.execute(_KEPT, named)
    )


_KEPT: Final = sa.text("""
    SELECT 'ack' AS verb, path AS name, number, comment, at_ms, undone_by FROM acknowledgements
    WHERE repository_id = :repository_id AND number = :number
        AND (undone_by IS NULL OR undone_by = :by)
    UNION ALL
    SELECT 'ignore', fingerprint, number, comment, at_ms, undone_by FROM dismissed_secrets
    WHERE repository_id = :repository_id AND (undone_by IS NULL OR undone_by = :by)
    ORDER BY at_ms, verb, name
""")


def undone_since(
    connection: sa.Connection, key: PullKey, *, written_ms: int
) -> frozenset[tuple[KeptVerb, str]]:
    """Verb and name of what was taken back by commands that were written later than at a time."""
    named = {"repository_id": key.repository_id, "number": key.number, "written": written_ms}
    return frozenset((row.verb, row.name) for row in connection.execute(_UNDONE_SINCE, named))


_UNDONE_SINCE: Final = sa.text("""
    SELECT 'ack' AS verb, path AS name FROM acknowledgements
    WHERE repository_id = :repository_id AND number = :number AND undone_ms > :written
    UNION ALL
    SELECT 'ignore', fingerprint FROM dismissed_secrets
    WHERE repository_id = :repository_id AND undone_ms > :written
""")


def undo(
    connection: sa.Connection, key: PullKey, undone: Iterable[Kept], *, by: str, written_ms: int
) -> int:
    """Take back acknowledgements of a pull request, and dismissals of its repository; how many.

    What was kept anew since it was read stays.

    by: comment and digest of the command, or who else. written_ms: when that was written.
    """
    named = {"repository_id": key.repository_id, "number": key.number, "by": by, "ms": written_ms}
    return sum(
        connection.execute(_UNDO[one.verb], {**named, "name": one.name, "at": one.at_ms}).rowcount
        for one in sorted(undone, key=lambda one: one.name)  # or two at once block one another
    )


_UNDO: Final = {
    "ack": sa.text("""
        UPDATE acknowledgements SET undone_by = :by, undone_ms = :ms
        WHERE repository_id = :repository_id AND number = :number AND path = :name
            AND at_ms = :at AND undone_by IS NULL
    """),
    "ignore": sa.text("""
        UPDATE dismissed_secrets SET undone_by = :by, undone_ms = :ms
        WHERE repository_id = :repository_id AND fingerprint = :name
            AND at_ms = :at AND undone_by IS NULL
    """),
}
