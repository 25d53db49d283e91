"""Maintainers' comments that wait for their turn, and what became of each.

A comment is its anchor (bot/core/anchor.py) and a digest here. Its words are fetched when its
commands run; the digest tells whether they are still those that its author sent. What its author
sends by editing it waits beside that, under another digest.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

import sqlalchemy as sa

from bot.store import approvals
from bot.store import audit as audits
from bot.store.audit import AuditOutcome, AuditRow
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
    """A comment, as its author sent or edited it, that holds commands which have not run yet."""

    comment: str  # its anchor
    author_id: int  # GitHub's id of who wrote it
    digest: str  # of the comment's text as it was delivered
    written_ms: int  # when that text was written
    is_edit: bool = False  # its author changed what was there before
    marks: str | None = None  # of its commands; None: it is too long to tell
    known: str = ""  # marks of what stood there before it was edited (grammar.marks), with blanks
    attempts: int = 0  # how often it could not be run
    received_ms: int = 0  # when it came, once it waits


def digest(text: str) -> str:
    """What is kept of a comment's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def add(connection: sa.Connection, key: PullKey, command: WaitingCommand, *, now_ms: int) -> None:
    """Let a comment wait for its turn; one that came before stays as it is.

    But an edit may bring back a text that had no turn before it was edited.

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
        unread = unread_row(command, AuditOutcome.TOO_MANY)
        audits.write_down(connection, key, [unread], now_ms=now_ms)


_RECENT: Final = sa.text("""
    SELECT COUNT(*) FROM waiting_commands
    WHERE repository_id = :repository_id AND number = :number AND author_id = :author_id
        AND received_ms > :since
""")
_ADD: Final = sa.text("""
    INSERT INTO waiting_commands
        (repository_id, number, comment, digest, author_id, written_ms, is_edit, marks, known,
         attempts, outcome, received_ms)
    VALUES (:repository_id, :number, :comment, :digest, :author_id, :written_ms, :is_edit, :marks,
            :known, :attempts, :outcome, :now)
    ON CONFLICT (repository_id, comment, digest) DO UPDATE
        SET written_ms = excluded.written_ms, is_edit = excluded.is_edit, known = excluded.known,
            attempts = 0, outcome = excluded.outcome, received_ms = excluded.received_ms
        WHERE waiting_commands.outcome = 'edited' AND excluded.is_edit
            AND waiting_commands.written_ms < excluded.written_ms
""")


def unread_row(command: WaitingCommand, outcome: AuditOutcome) -> AuditRow:
    """The one row of the audit for a comment whose commands were never read."""
    return AuditRow(
        comment=command.comment,
        digest=command.digest,
        position=0,
        actor_id=command.author_id,
        verb="",
        refs="",
        outcome=outcome,
    )


def waiting(connection: sa.Connection, key: PullKey) -> tuple[WaitingCommand, ...]:
    """The comments of a pull request that wait, in the order in which they were written."""
    return tuple(
        WaitingCommand(
            comment=row.comment,
            author_id=row.author_id,
            digest=row.digest,
            written_ms=row.written_ms,
            is_edit=bool(row.is_edit),
            marks=row.marks,
            known=row.known,
            attempts=row.attempts,
            received_ms=row.received_ms,
        )
        for row in connection.execute(_WAITING, _of(key))
    )


_WAITING: Final = sa.text("""
    SELECT comment, author_id, digest, written_ms, is_edit, marks, known, attempts, received_ms
    FROM waiting_commands
    WHERE repository_id = :repository_id AND number = :number AND outcome = 'waiting'
    ORDER BY written_ms, comment, is_edit, received_ms, digest
""")


def answered(connection: sa.Connection, key: PullKey, command: WaitingCommand) -> tuple[int, int]:
    """How many comments with commands the author of one wrote in the hour before it.

    The second number is of those that were too many.
    """
    named = {**_named(key, command), "since": command.received_ms - _HOUR_MS}
    row = connection.execute(_ANSWERED, named).one()
    return row.answered, row.too_many


_ANSWERED: Final = sa.text("""
    SELECT COUNT(CASE WHEN outcome NOT IN ('waiting', 'talk', 'too many') THEN 1 END) AS answered,
        COUNT(CASE WHEN outcome = 'too many' THEN 1 END) AS too_many
    FROM waiting_commands
    WHERE repository_id = :repository_id AND number = :number AND author_id = :author_id
        AND received_ms > :since AND (written_ms < :written_ms
            OR written_ms = :written_ms AND (comment < :comment
                OR comment = :comment AND digest <> :digest))
""")


def attempted(connection: sa.Connection, key: PullKey, command: WaitingCommand) -> None:
    """A comment could not be run; it goes on waiting."""
    connection.execute(_ATTEMPTED, _named(key, command))


_ATTEMPTED: Final = sa.text("""
    UPDATE waiting_commands SET attempts = attempts + 1
    WHERE repository_id = :repository_id AND comment = :comment AND digest = :digest
""")


def hand_on(connection: sa.Connection, key: PullKey, command: WaitingCommand) -> bool:
    """Let what a comment was edited into run what it had not run yet; whether that waits.

    An edit runs what was not there before. Of what was there, that which this text brought has not
    run, so it is new as well; what others wrote in between stays known.
    """
    later = [
        one
        for one in waiting(connection, key)
        if one.comment == command.comment and one.digest != command.digest and one.is_edit
    ]
    if command.marks is None:
        return False
    new = Counter(command.marks.split()) - Counter(command.known.split())
    for one in later:
        known = " ".join((Counter(one.known.split()) - new).elements())
        connection.execute(_HAND_ON, {**_named(key, one), "known": known})
    return bool(later)


_HAND_ON: Final = sa.text("""
    UPDATE waiting_commands SET known = :known
    WHERE repository_id = :repository_id AND comment = :comment AND digest = :digest
""")


def settle(
    connection: sa.Connection,
    key: PullKey,
    command: WaitingCommand,
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
    connection.execute(_SETTLE, {**_named(key, command), "outcome": outcome.value})
    audits.write_down(connection, key, audit, now_ms=now_ms)
    if not keeps_approvals:
        approvals.forget(connection, key, command.comment, command.digest)


_SETTLE: Final = sa.text("""
    UPDATE waiting_commands SET outcome = :outcome
    WHERE repository_id = :repository_id AND comment = :comment AND digest = :digest
""")


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}


def _named(key: PullKey, command: WaitingCommand) -> dict[str, object]:
    return {**_of(key), **asdict(command)}
