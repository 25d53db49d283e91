"""Maintainers' commands: which comments wait, what was approved, and who did what.

A comment is a number and a digest here. Its words are fetched when its commands run; the digest
tells whether they are still those that its author sent.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey


class CommandOutcome(StrEnum):
    """What became of a comment's commands."""

    WAITING = "waiting"
    TALK = "talk"  # it holds no command, and nothing that was nearly one
    DONE = "done"
    REFUSED = "refused"  # the answer says why
    GONE = "gone"  # the comment was deleted before its commands ran
    EDITED = "edited"  # its words are not those that its author sent
    TOO_MANY = "too many"  # its author wrote more in an hour than is answered
    FAILED = "failed"  # it waited too long for GitHub


MAX_AN_HOUR: Final = 15  # comments with commands of one author on one pull request
MAX_READ_AN_HOUR: Final = 100  # of those that may hold one, talk of commands included
_HOUR_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCommand:
    """A comment that holds commands which have not run yet."""

    comment_id: int
    author_id: int  # GitHub's id of who wrote it
    digest: str  # of the comment's text as it was delivered
    attempts: int = 0  # how often it could not be run
    received_ms: int = 0  # when it came, once it waits


class AuditOutcome(StrEnum):
    """What became of one command. PLANNED stands until its commit is made.

    From GONE on as in CommandOutcome.
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
    """One command: who asked for what, and what came of it. position counts from 0 in a comment."""

    comment_id: int
    position: int
    actor_id: int | None
    verb: str  # "" where the comment was not read, so that nobody knows its commands
    refs: str  # separated by blanks
    outcome: AuditOutcome
    commit_sha: str | None

    @classmethod
    def unread(cls, command: WaitingCommand, outcome: AuditOutcome) -> "AuditRow":
        """The one row of a comment whose commands were never read."""
        return cls(
            comment_id=command.comment_id,
            position=0,
            actor_id=command.author_id,
            verb="",
            refs="",
            outcome=outcome,
            commit_sha=None,
        )


def digest(text: str) -> str:
    """What is kept of a comment's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def add(connection: sa.Connection, key: PullKey, command: WaitingCommand, *, now_ms: int) -> None:
    """Let a comment wait for its turn; one that came before stays as it is.

    An author's comments beyond MAX_READ_AN_HOUR are not even read: anyone may write on a pull
    request, and each costs a request.
    """
    named = {**_of(key), "author_id": command.author_id, "since": now_ms - _HOUR_MS}
    recent: int = connection.execute(_RECENT, named).scalar_one()
    is_flood = recent >= MAX_READ_AN_HOUR
    outcome = CommandOutcome.TOO_MANY if is_flood else CommandOutcome.WAITING
    row = {**_of(key), **asdict(command), "outcome": outcome.value, "now": now_ms}
    is_new = connection.execute(_ADD, row).rowcount > 0
    if is_flood and is_new:
        write_down(
            connection, key, [AuditRow.unread(command, AuditOutcome.TOO_MANY)], now_ms=now_ms
        )


_RECENT: Final = sa.text("""
    SELECT COUNT(*) FROM waiting_commands
    WHERE repository_id = :repository_id AND number = :number AND author_id = :author_id
        AND received_ms > :since
""")
_ADD: Final = sa.text("""
    INSERT INTO waiting_commands
        (repository_id, number, comment_id, author_id, digest, attempts, outcome, received_ms)
    VALUES (:repository_id, :number, :comment_id, :author_id, :digest, :attempts, :outcome, :now)
    ON CONFLICT (repository_id, comment_id) DO NOTHING
""")


def waiting(connection: sa.Connection, key: PullKey) -> tuple[WaitingCommand, ...]:
    """The comments of a pull request that wait, in the order in which they were written."""
    return tuple(
        WaitingCommand(
            comment_id=row.comment_id,
            author_id=row.author_id,
            digest=row.digest,
            attempts=row.attempts,
            received_ms=row.received_ms,
        )
        for row in connection.execute(_WAITING, _of(key))
    )


_WAITING: Final = sa.text("""
    SELECT comment_id, author_id, digest, attempts, received_ms FROM waiting_commands
    WHERE repository_id = :repository_id AND number = :number AND outcome = 'waiting'
    ORDER BY comment_id
""")


def answered(connection: sa.Connection, key: PullKey, command: WaitingCommand) -> tuple[int, int]:
    """How many comments with commands the author of one wrote in the hour before it.

    The second number is of those that were too many.
    """
    named = {
        **_of(key),
        "author_id": command.author_id,
        "comment_id": command.comment_id,
        "since": command.received_ms - _HOUR_MS,
    }
    row = connection.execute(_ANSWERED, named).one()
    return row.answered, row.too_many


_ANSWERED: Final = sa.text("""
    SELECT COUNT(CASE WHEN outcome NOT IN ('waiting', 'talk', 'too many') THEN 1 END) AS answered,
        COUNT(CASE WHEN outcome = 'too many' THEN 1 END) AS too_many
    FROM waiting_commands
    WHERE repository_id = :repository_id AND number = :number AND author_id = :author_id
        AND received_ms > :since AND comment_id < :comment_id
""")


def attempted(connection: sa.Connection, key: PullKey, comment_id: int) -> None:
    """A comment could not be run; it goes on waiting."""
    connection.execute(_ATTEMPTED, {**_of(key), "comment_id": comment_id})


_ATTEMPTED: Final = sa.text("""
    UPDATE waiting_commands SET attempts = attempts + 1
    WHERE repository_id = :repository_id AND comment_id = :comment_id
""")


def settle(
    connection: sa.Connection,
    key: PullKey,
    comment_id: int,
    outcome: CommandOutcome,
    *,
    audit: Iterable[AuditRow] = (),
    keeps_approvals: bool = False,
    now_ms: int,
) -> None:
    """Write down what became of a comment, with a row for each of its commands.

    keeps_approvals: what it approved is committed, or was given as a patch. Else it is approved no
    more.
    """
    named = {**_of(key), "comment_id": comment_id}
    connection.execute(_SETTLE, {**named, "outcome": outcome.value})
    write_down(connection, key, audit, now_ms=now_ms)
    if not keeps_approvals:
        connection.execute(_UNAPPROVE, named)


def write_down(
    connection: sa.Connection, key: PullKey, audit: Iterable[AuditRow], *, now_ms: int
) -> None:
    """Add rows to the audit. One that stands there changes only while it says PLANNED."""
    for row in audit:
        connection.execute(_AUDIT, {**_of(key), **asdict(row), "now": now_ms})


_SETTLE: Final = sa.text("""
    UPDATE waiting_commands SET outcome = :outcome
    WHERE repository_id = :repository_id AND comment_id = :comment_id
""")
_AUDIT: Final = sa.text("""
    INSERT INTO audit
        (repository_id, number, comment_id, position, actor_id, verb, refs, outcome, commit_sha,
         at_ms)
    VALUES (:repository_id, :number, :comment_id, :position, :actor_id, :verb, :refs, :outcome,
            :commit_sha, :now)
    ON CONFLICT (repository_id, comment_id, position) DO UPDATE
        SET outcome = excluded.outcome, commit_sha = excluded.commit_sha
        WHERE audit.outcome = 'planned'
""")


def plan(
    connection: sa.Connection,
    key: PullKey,
    comment_id: int,
    *,
    audit: Iterable[AuditRow],
    approved: Mapping[str, str],
    now_ms: int,
) -> None:
    """Write down what a comment's commit will do, before it is made; an earlier plan is forgotten.

    approved: path -> git's object id of each file that it approves: an approval is of contents.
    """
    connection.execute(_UNPLAN, {**_of(key), "comment_id": comment_id})
    connection.execute(_UNAPPROVE, {**_of(key), "comment_id": comment_id})
    write_down(connection, key, audit, now_ms=now_ms)
    for path, oid in approved.items():
        named = {**_of(key), "path": path, "oid": oid, "comment_id": comment_id}
        connection.execute(_APPROVE, named)


_UNPLAN: Final = sa.text("""
    DELETE FROM audit
    WHERE repository_id = :repository_id AND comment_id = :comment_id
        AND EXISTS (SELECT 1 FROM audit AS other WHERE other.repository_id = :repository_id
            AND other.comment_id = :comment_id AND other.outcome = 'planned')
""")


def planned(connection: sa.Connection, key: PullKey, comment_id: int) -> tuple[AuditRow, ...]:
    """What was written down before a comment's commit was made; empty when none was begun."""
    rows = connection.execute(_PLANNED, {**_of(key), "comment_id": comment_id}).all()
    if all(row.outcome != AuditOutcome.PLANNED for row in rows):
        return ()
    return tuple(
        AuditRow(
            comment_id=comment_id,
            position=row.position,
            actor_id=row.actor_id,
            verb=row.verb,
            refs=row.refs,
            outcome=AuditOutcome(row.outcome),
            commit_sha=row.commit_sha,
        )
        for row in rows
    )


_PLANNED: Final = sa.text("""
    SELECT position, actor_id, verb, refs, outcome, commit_sha FROM audit
    WHERE repository_id = :repository_id AND comment_id = :comment_id ORDER BY position
""")


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


_APPROVE: Final = sa.text("""
    INSERT INTO approvals (repository_id, number, path, oid, comment_id)
    VALUES (:repository_id, :number, :path, :oid, :comment_id)
    ON CONFLICT (repository_id, number, path, oid) DO NOTHING
""")


_UNAPPROVE: Final = sa.text("""
    DELETE FROM approvals WHERE repository_id = :repository_id AND comment_id = :comment_id
""")


def revoke(
    connection: sa.Connection, repository_id: int, numbers: Iterable[int], paths: Iterable[str]
) -> None:
    """Take back every approval of some files on some pull requests."""
    named = {"repository_id": repository_id, "numbers": list(numbers), "paths": list(paths)}
    connection.execute(_REVOKE, named)


_REVOKE: Final = sa.text("""
    DELETE FROM approvals
    WHERE repository_id = :repository_id AND number IN :numbers AND path IN :paths
""").bindparams(sa.bindparam("numbers", expanding=True), sa.bindparam("paths", expanding=True))


def approved(connection: sa.Connection, key: PullKey) -> frozenset[tuple[str, str]]:
    """Every path and object id that was approved on a pull request."""
    rows = connection.execute(_APPROVED, _of(key))
    return frozenset((row.path, row.oid) for row in rows)


_APPROVED: Final = sa.text("""
    SELECT path, oid FROM approvals WHERE repository_id = :repository_id AND number = :number
""")


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
