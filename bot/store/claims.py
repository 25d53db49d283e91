"""Which process is at a job: each begins with a claim, without which it must not write to GitHub.

A process that stands still, for as long as it takes to be counted as dead, goes on where it stopped
when it wakes: with an old reading, while another process has done the job since. A claim is taken
from it with the first sign of that, so that it can look right before it writes.
"""

import secrets
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from bot.store.pulls import PullKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One beginning of a job of a pull request, or of a repository's own."""

    key: PullKey
    token: str  # equal only for the same beginning


def take(connection: sa.Connection, key: PullKey, executor: str) -> Claim:
    """Claim a job for a process; whoever had it before has it no more."""
    claim = Claim(key=key, token=secrets.token_hex(8))
    connection.execute(_TAKE, _of(claim) | {"executor": executor})
    return claim


_TAKE: Final = sa.text("""
    INSERT INTO claims (repository_id, number, token, executor)
    VALUES (:repository_id, :number, :token, :executor)
    ON CONFLICT (repository_id, number) DO UPDATE
        SET token = excluded.token, executor = excluded.executor
""")


def holds(connection: sa.Connection, claim: Claim) -> bool:
    """Whether nobody has begun the job since, and its process does not count as dead."""
    return connection.execute(_HOLDS, _of(claim)).first() is not None


_HOLDS: Final = sa.text("""
    SELECT 1 FROM claims
    WHERE repository_id = :repository_id AND number = :number AND token = :token
""")


def take_from_the_dead(connection: sa.Connection) -> None:
    """Leave claims to the processes that live; what heads the others held, those may take."""
    connection.execute(_TAKE_FROM_THE_DEAD)


_TAKE_FROM_THE_DEAD: Final = sa.text(
    "DELETE FROM claims WHERE executor NOT IN (SELECT id FROM executors)"
)


def _of(claim: Claim) -> dict[str, object]:
    return {
        "repository_id": claim.key.repository_id,
        "number": claim.key.number,
        "token": claim.token,
    }
