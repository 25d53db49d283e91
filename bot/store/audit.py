"""The audit: who asked for what, what GitHub said that they may, and what came of it.

Rows are added and kept for good. Only one that says PLANNED changes, once its commit is made or
given up.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey


class AuditOutcome(StrEnum):
    """What became of one command. PLANNED stands until its commit is made.

    From GONE on as in commands.CommandOutcome.
    """

    PLANNED = "planned"
    DONE = "done"
    REFUSED = "refused"
    ANSWERED = "answered"
    GONE = "gone"
    EDITED = "edited"
    TOO_MANY = "too many"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One command: who asked for what, and what came of it."""

    comment: str  # its anchor
    digest: str  # of the text that held it
    position: int  # in that text, from 0
    actor_id: int | None
    actor: str = ""  # their login then
    permission: str = ""  # what GitHub said they may do, as REST names it; "" when not asked
    head_sha: str = ""  # what it was decided on; "" for nothing
    verb: str  # "" where the comment was not read, so that nobody knows its commands
    refs: str  # separated by blanks
    outcome: AuditOutcome
    commit_sha: str | None = None


def write_down(
    connection: sa.Connection, key: PullKey, rows: Iterable[AuditRow], *, now_ms: int
) -> None:
    """Add rows. One that stands there changes only while it says PLANNED."""
    for row in rows:
        connection.execute(_ADD, {**_of(key), **asdict(row), "now": now_ms})


_ADD: Final = sa.text("""
    INSERT INTO audit
        (repository_id, number, comment, digest, position, actor_id, actor, permission, head_sha,
         verb, refs, outcome, commit_sha, at_ms)
    VALUES (:repository_id, :number, :comment, :digest, :position, :actor_id, :actor, :permission,
            :head_sha, :verb, :refs, :outcome, :commit_sha, :now)
    ON CONFLICT (repository_id, comment, digest, position) DO UPDATE
        SET outcome = excluded.outcome, commit_sha = excluded.commit_sha
        WHERE audit.outcome = 'planned'
""")


def forget_plan(connection: sa.Connection, key: PullKey, comment: str, digest: str) -> None:
    """Take back the rows of a commit that was never made."""
    connection.execute(_UNPLAN, {**_of(key), "comment": comment, "digest": digest})


_UNPLAN: Final = sa.text("""
    DELETE FROM audit
    WHERE repository_id = :repository_id AND comment = :comment AND digest = :digest
        AND EXISTS (SELECT 1 FROM audit AS other WHERE other.repository_id = :repository_id
            AND other.comment = :comment AND other.digest = :digest
            AND other.outcome = 'planned')
""")


def planned(
    connection: sa.Connection, key: PullKey, comment: str, digest: str
) -> tuple[AuditRow, ...]:
    """What was written down before a comment's commit was made; empty when none was begun."""
    named = {**_of(key), "comment": comment, "digest": digest}
    rows = [_row(found) for found in connection.execute(_PLANNED, named)]
    is_begun = any(row.outcome is AuditOutcome.PLANNED for row in rows)
    return tuple(rows) if is_begun else ()


_PLANNED: Final = sa.text("""
    SELECT comment, digest, position, actor_id, actor, permission, head_sha, verb, refs, outcome,
        commit_sha
    FROM audit
    WHERE repository_id = :repository_id AND comment = :comment AND digest = :digest
    ORDER BY position
""")


def _row(found: sa.Row[tuple[object, ...]]) -> AuditRow:
    read = found._asdict()
    return AuditRow(**{**read, "outcome": AuditOutcome(read["outcome"])})


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
