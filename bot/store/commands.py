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
    DONE = "done"
    REFUSED = "refused"  # the answer says why
    GONE = "gone"  # the comment was deleted before its commands ran
    EDITED = "edited"  # its words are not those that its author sent


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCommand:
    """A comment that holds commands which have not run yet."""

    comment_id: int
    digest: str  # of the comment's text as it was delivered


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One command: who asked for what, and what came of it. position counts from 0 in a comment."""

    comment_id: int
    position: int
    actor_id: int | None
    verb: str
    refs: str  # separated by blanks
    outcome: str  # done, refused or answered
    commit_sha: str | None


def digest(text: str) -> str:
    """What is kept of a comment's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def add(connection: sa.Connection, key: PullKey, command: WaitingCommand, *, now_ms: int) -> None:
    """Let a comment wait for its turn; one that came before stays as it is."""
    connection.execute(_ADD, {**_of(key), **asdict(command), "now": now_ms})


_ADD: Final = sa.text("""
    INSERT INTO waiting_commands
        (repository_id, number, comment_id, digest, outcome, received_ms)
    VALUES (:repository_id, :number, :comment_id, :digest, 'waiting', :now)
    ON CONFLICT (repository_id, comment_id) DO NOTHING
""")


def waiting(connection: sa.Connection, key: PullKey) -> tuple[WaitingCommand, ...]:
    """The comments of a pull request that wait, in the order in which they were written."""
    return tuple(
        WaitingCommand(comment_id=row.comment_id, digest=row.digest)
        for row in connection.execute(_WAITING, _of(key))
    )


_WAITING: Final = sa.text("""
    SELECT comment_id, digest FROM waiting_commands
    WHERE repository_id = :repository_id AND number = :number AND outcome = 'waiting'
    ORDER BY comment_id
""")


def settle(
    connection: sa.Connection,
    key: PullKey,
    comment_id: int,
    outcome: CommandOutcome,
    *,
    audit: Iterable[AuditRow] = (),
    now_ms: int,
) -> None:
    """Write down what became of a comment, with a row for each of its commands."""
    named = {**_of(key), "comment_id": comment_id}
    connection.execute(_SETTLE, {**named, "outcome": outcome.value})
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
    ON CONFLICT (repository_id, comment_id, position) DO NOTHING
""")


def approve(
    connection: sa.Connection, key: PullKey, blobs: Mapping[str, str], *, comment_id: int
) -> None:
    """Bind an approval to contents: path -> git's object id of the file as it was approved.

    Written before the commit is made. Where the commit fails, the contents are approved all the
    same: a maintainer saw them.
    """
    for path, oid in blobs.items():
        row = {**_of(key), "path": path, "oid": oid, "comment_id": comment_id}
        connection.execute(_APPROVE, row)


_APPROVE: Final = sa.text("""
    INSERT INTO approvals (repository_id, number, path, oid, comment_id)
    VALUES (:repository_id, :number, :path, :oid, :comment_id)
    ON CONFLICT (repository_id, number, path, oid) DO NOTHING
""")


def approved(connection: sa.Connection, key: PullKey) -> frozenset[tuple[str, str]]:
    """Every path and object id that was approved on a pull request."""
    rows = connection.execute(_APPROVED, _of(key))
    return frozenset((row.path, row.oid) for row in rows)


_APPROVED: Final = sa.text("""
    SELECT path, oid FROM approvals WHERE repository_id = :repository_id AND number = :number
""")


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
