"""What waits to be done for a repository itself: the job with number 0 of its key does it.

A merge queue's group wants verdicts, open pull requests are to be woken, the checks are to be made
known. The rows are numbers, names of branches and commits; they go when the work is done.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

import sqlalchemy as sa

from bot.store.audit import AuditRow
from bot.store.pulls import HeadWake, PullKey, Wake


class WorkKind(StrEnum):
    """What is to be done."""

    GROUP = "group"  # give a merge queue's group its verdicts
    READY = "ready"  # put a success on the default branch, so that the checks can be required
    RULES = "rules"  # as WAKE, since other rules hold: until then no verdict stands
    WAKE = "wake"  # bring the open pull requests up to date


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One thing to do for a repository. Equal work waits once."""

    kind: WorkKind
    base_ref: str = ""  # branch that a group is for, or that pull requests target; "" for any
    head_sha: str = ""  # of a group, or of what to wake; or where a success is to be made anew
    head_ref: str = ""  # of a group: the branch that the queue made
    base_sha: str = ""  # of a group: what it is built upon


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingWork:
    """Work that is not done yet."""

    work: Work
    received_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryNews:
    """What was said of a repository: its present name and installation, and what is to be done."""

    repository_id: int
    installation_id: int
    repository: str  # owner/name
    work: tuple[Work, ...] = ()
    reruns: bool = False  # somebody wants new check runs, even if they say the same


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationNews:
    """What is to be done for every repository of an installation that was ever heard of."""

    installation_id: int
    work: tuple[Work, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditNews:
    """Commands that are refused on arrival, such as a bot's: nothing is woken for them."""

    key: PullKey
    rows: tuple[AuditRow, ...]


News = Wake | HeadWake | RepositoryNews | InstallationNews | AuditNews


def key_of(repository_id: int) -> PullKey:
    """The key under which a repository's own job runs; no pull request has the number 0."""
    return PullKey(repository_id=repository_id, number=0)


def add(
    connection: sa.Connection, repository_id: int, work: Iterable[Work], *, now_ms: int
) -> None:
    """Let work wait. What waits already begins to wait anew."""
    for one in work:
        row = {"repository_id": repository_id, **asdict(one), "now": now_ms}
        connection.execute(_ADD, row)


_ADD: Final = sa.text("""
    INSERT INTO waiting_work
        (repository_id, kind, base_ref, head_sha, head_ref, base_sha, received_ms)
    VALUES (:repository_id, :kind, :base_ref, :head_sha, :head_ref, :base_sha, :now)
    ON CONFLICT (repository_id, kind, base_ref, head_sha) DO UPDATE
        SET head_ref = excluded.head_ref, base_sha = excluded.base_sha,
            received_ms = excluded.received_ms
""")


def waiting(connection: sa.Connection, repository_id: int) -> tuple[WaitingWork, ...]:
    """What waits for a repository, groups first: a merge queue stands still until they are done."""
    return tuple(
        WaitingWork(
            work=Work(
                kind=WorkKind(row.kind),
                base_ref=row.base_ref,
                head_sha=row.head_sha,
                head_ref=row.head_ref,
                base_sha=row.base_sha,
            ),
            received_ms=row.received_ms,
        )
        for row in connection.execute(_WAITING, {"repository_id": repository_id})
    )


_WAITING: Final = sa.text("""
    SELECT kind, base_ref, head_sha, head_ref, base_sha, received_ms FROM waiting_work
    WHERE repository_id = :repository_id
    ORDER BY kind, received_ms, base_ref, head_sha
""")


def done(connection: sa.Connection, repository_id: int, waiting: WaitingWork) -> None:
    """Forget work, unless it was asked for again meanwhile."""
    row = {"repository_id": repository_id, **asdict(waiting.work), "received": waiting.received_ms}
    connection.execute(_DONE, row)


_DONE: Final = sa.text("""
    DELETE FROM waiting_work
    WHERE repository_id = :repository_id AND kind = :kind AND base_ref = :base_ref
        AND head_sha = :head_sha AND received_ms = :received
""")
