"""The audit: who asked for what, what GitHub said that they may, and what came of it.

Rows are added and kept for good. Only one that says PLANNED changes, once its commit is made or
given up; and one that says EDITED, when an edit brings its text back and that has its turn.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Final

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
    DRY_RUN = "dry run"  # what would be done was shown
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """A row with what it is about and when it was written down."""

    row: AuditRow
    key: PullKey
    repository: str  # owner/name, as it is called now; "" where nothing else is known of it
    at_ms: int

    @property
    def name(self) -> str:
        """owner/name#number."""
        return f"{self.repository or self.key.repository_id}#{self.key.number}"


def write_down(
    connection: sa.Connection, key: PullKey, rows: Iterable[AuditRow], *, now_ms: int
) -> None:
    """Add rows. One that stands there changes only while it says PLANNED or EDITED."""
    for row in rows:
        connection.execute(_ADD, {**_of(key), **asdict(row), "now": now_ms})


_ADD: Final = sa.text("""
    INSERT INTO audit
        (repository_id, number, comment, digest, position, actor_id, actor, permission, head_sha,
         verb, refs, outcome, commit_sha, at_ms)
    VALUES (:repository_id, :number, :comment, :digest, :position, :actor_id, :actor, :permission,
            :head_sha, :verb, :refs, :outcome, :commit_sha, :now)
    ON CONFLICT (repository_id, comment, digest, position) DO UPDATE
        SET outcome = excluded.outcome, commit_sha = excluded.commit_sha, verb = excluded.verb,
            refs = excluded.refs, actor = excluded.actor, permission = excluded.permission,
            head_sha = excluded.head_sha
        WHERE audit.outcome IN ('planned', 'edited')
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


def commits(connection: sa.Connection, key: PullKey) -> dict[str, int]:
    """The commits that commands made on a pull request, by sha, and when they were planned."""
    return {row.commit_sha: row.at_ms for row in connection.execute(_COMMITS, _of(key))}


_COMMITS: Final = sa.text("""
    SELECT commit_sha, MIN(at_ms) AS at_ms FROM audit
    WHERE repository_id = :repository_id AND number = :number AND commit_sha IS NOT NULL
    GROUP BY commit_sha
""")


def newest(
    connection: sa.Connection,
    *,
    repository: str | None = None,
    number: int | None = None,
    actor: str | None = None,
    verb: str | None = None,
    since_ms: int = 0,
    limit: int,
) -> tuple[AuditEntry, ...]:
    """The newest rows that are about what is given, in any letter case; the newest first.

    repository: owner/name, as it is called now.
    """
    wanted = {
        "repository": repository,
        "number": number,
        "actor": actor,
        "verb": verb,
        "since": since_ms,
        "limit": limit,
    }
    return tuple(
        AuditEntry(
            row=_row(found),
            key=PullKey(repository_id=found.repository_id, number=found.number),
            repository=found.repository,
            at_ms=found.at_ms,
        )
        for found in connection.execute(_NEWEST, wanted)
    )


def decisions(connection: sa.Connection, key: PullKey, *, limit: int) -> tuple[AuditEntry, ...]:
    """What was done or refused on a pull request, the newest first; questions are no decisions."""
    found = connection.execute(_DECISIONS, {**_of(key), "limit": limit})
    return tuple(
        AuditEntry(row=_row(one), key=key, repository="", at_ms=one.at_ms) for one in found
    )


_DECISIONS: Final = sa.text("""
    SELECT comment, digest, position, actor_id, actor, permission, head_sha, verb, refs, outcome,
        commit_sha, at_ms
    FROM audit
    WHERE repository_id = :repository_id AND number = :number AND verb <> ''
        AND outcome IN ('done', 'refused')
    ORDER BY at_ms DESC, comment DESC, position DESC LIMIT :limit
""")
_NEWEST: Final = sa.text("""
    SELECT audit.repository_id, audit.number, comment, digest, position, actor_id, actor,
        permission, audit.head_sha, verb, refs, audit.outcome, commit_sha, at_ms,
        COALESCE(pull_states.repository, '') AS repository
    FROM audit LEFT JOIN pull_states
        ON pull_states.repository_id = audit.repository_id AND pull_states.number = audit.number
    WHERE at_ms >= :since
        AND (:repository IS NULL OR lower(pull_states.repository) = lower(:repository))
        AND (:number IS NULL OR audit.number = :number)
        AND (:actor IS NULL OR lower(actor) = lower(:actor))
        AND (:verb IS NULL OR verb = :verb)
    ORDER BY at_ms DESC, comment DESC, position DESC LIMIT :limit
""").bindparams(
    sa.bindparam("repository", type_=sa.Text),
    sa.bindparam("number", type_=sa.BigInteger),
    sa.bindparam("actor", type_=sa.Text),
    sa.bindparam("verb", type_=sa.Text),
)


def _row(found: sa.Row[Any]) -> AuditRow:
    read = {field.name: getattr(found, field.name) for field in fields(AuditRow)}
    return AuditRow(**{**read, "outcome": AuditOutcome(found.outcome)})


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
