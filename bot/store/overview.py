"""What an operator asks: how much waits, since when, what was given up, what came.

Each question is answered by an index, so that it costs what there is to show and not what has
ended. Here a job is its pull request's newest: older ones leave no trace.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import sqlalchemy as sa

from bot.store.deliveries import Outcome
from bot.store.pulls import Job, PullKey


class JobState(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"  # for a worker
    DELAYED = "delayed"  # until it may begin
    RUNNING = "running"  # it has begun; after a crash it begins anew
    GIVEN_UP = "given up"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """The jobs that have not ended, and those that were given up."""

    waiting: int
    delayed: int
    running: int
    given_up: int
    oldest_ms: int  # how long ago the oldest one might have begun; 0 where none might


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """A job, and the pull request or repository that it is for."""

    key: PullKey
    seq: int
    repository: str  # owner/name
    installation_id: int
    head_sha: str | None
    state: JobState
    since_ms: int  # when it ended, or from when it may begin
    attempts: int
    error: str | None  # the class of what made it fail last
    request_id: str | None  # names that failure in the log and on GitHub

    @property
    def name(self) -> str:
        """owner/name#number, of a repository's own job owner/name."""
        return self.repository if self.key.is_repository else f"{self.repository}#{self.key.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRow:
    """A delivery that came. name: of what it woke, "" where that is nothing or several."""

    guid: str
    event: str
    action: str | None
    installation_id: int | None
    repository_id: int | None
    number: int | None
    name: str
    received_ms: int
    outcome: Outcome
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What a log calls a job by."""

    repository: str
    installation_id: int
    delivery: str | None  # GUID of the newest delivery that waits for it


def labels(connection: sa.Connection, job: Job) -> Labels | None:
    """What to call a job; None where its pull request was never heard of."""
    which = {"repository_id": job.key.repository_id, "number": job.key.number}
    row = connection.execute(_LABELS, which).one_or_none()
    if row is None:
        return None
    guid = connection.execute(_WAITS, which | {"seq": job.seq}).scalar()
    return Labels(repository=row.repository, installation_id=row.installation_id, delivery=guid)


_LABELS: Final = sa.text("""
    SELECT repository, installation_id FROM pull_states
    WHERE repository_id = :repository_id AND number = :number
""")
_WAITS: Final = sa.text("""
    SELECT guid FROM deliveries
    WHERE repository_id = :repository_id AND number = :number AND seq <= :seq
        AND outcome = 'pending'
    ORDER BY received_ms DESC LIMIT 1
""")


def backlog(connection: sa.Connection, *, now_ms: int) -> Backlog:
    """How much waits, and since when."""
    row = connection.execute(_BACKLOG, {"now": now_ms}).one()
    return Backlog(
        waiting=row.unfinished - row.delayed - row.running,
        delayed=row.delayed,
        running=row.running,
        given_up=connection.execute(_COUNT_GIVEN_UP).scalar_one(),
        oldest_ms=max(0, now_ms - (row.oldest or now_ms)),
    )


_BACKLOG: Final = sa.text("""
    SELECT COUNT(*) AS unfinished, MIN(due_ms) AS oldest,
        COALESCE(SUM(CASE WHEN begun THEN 1 ELSE 0 END), 0) AS running,
        COALESCE(SUM(CASE WHEN NOT begun AND due_ms > :now THEN 1 ELSE 0 END), 0) AS delayed
    FROM pull_states WHERE finished < seq
""")
_COUNT_GIVEN_UP: Final = sa.text(
    "SELECT COUNT(*) FROM pull_states WHERE outcome = 'failed' AND finished = seq"
)


def unfinished(connection: sa.Connection, *, now_ms: int, limit: int) -> tuple[JobRow, ...]:
    """Jobs that have not ended, the oldest first."""
    rows = connection.execute(_UNFINISHED, {"limit": limit})
    return tuple(_job(row, now_ms) for row in rows)


def given_up(connection: sa.Connection, *, now_ms: int, limit: int) -> tuple[JobRow, ...]:
    """Jobs that were given up and have no newer one, the newest first."""
    rows = connection.execute(_GIVEN_UP, {"limit": limit})
    return tuple(_job(row, now_ms) for row in rows)


def job(connection: sa.Connection, key: PullKey, *, now_ms: int) -> JobRow | None:
    """The newest job for a key; None where there never was one."""
    which = {"repository_id": key.repository_id, "number": key.number}
    row = connection.execute(_JOB, which).one_or_none()
    return None if row is None else _job(row, now_ms)


def named(
    connection: sa.Connection, repository: str, number: int, *, now_ms: int
) -> tuple[JobRow, ...]:
    """The newest job of each repository that was last heard of by a name; most often one.

    repository: owner/name in any case. number: 0 for the repository's own job.
    """
    rows = connection.execute(_NAMED, {"repository": repository, "number": number})
    return tuple(_job(row, now_ms) for row in rows)


_JOBS: Final = """
    SELECT repository_id, number, seq, repository, installation_id, head_sha, finished, outcome,
        begun, due_ms, updated_ms, attempts, error, request_id
    FROM pull_states WHERE
"""
_UNFINISHED: Final = sa.text(f"{_JOBS} finished < seq ORDER BY due_ms LIMIT :limit")
_GIVEN_UP: Final = sa.text(
    f"{_JOBS} outcome = 'failed' AND finished = seq ORDER BY updated_ms DESC LIMIT :limit"
)
_JOB: Final = sa.text(f"{_JOBS} repository_id = :repository_id AND number = :number")
_NAMED: Final = sa.text(
    f"{_JOBS} lower(repository) = lower(:repository) AND number = :number ORDER BY repository_id"
)


def newest(
    connection: sa.Connection, *, outcome: Outcome | None = None, limit: int
) -> tuple[DeliveryRow, ...]:
    """Deliveries, the newest first. outcome: FAILED or PENDING, or None for all."""
    chosen = {None: _NEWEST, Outcome.FAILED: _FAILED, Outcome.PENDING: _PENDING}[outcome]
    return _deliveries(connection.execute(chosen, {"limit": limit}))


def delivery(connection: sa.Connection, guid: str) -> DeliveryRow | None:
    """One delivery; None when it never came, or was forgotten."""
    found = _deliveries(connection.execute(_DELIVERY, {"guid": guid}))
    return found[0] if found else None


def deliveries_of(
    connection: sa.Connection, key: PullKey, *, limit: int
) -> tuple[DeliveryRow, ...]:
    """The deliveries that woke one pull request, the newest first."""
    which = {"repository_id": key.repository_id, "number": key.number, "limit": limit}
    return _deliveries(connection.execute(_DELIVERIES_OF, which))


_DELIVERIES: Final = """
    SELECT d.guid, d.event, d.action, d.installation_id, d.repository_id, d.number, d.received_ms,
        d.outcome, d.reason, p.repository
    FROM deliveries d LEFT JOIN pull_states p
        ON p.repository_id = d.repository_id AND p.number = d.number
"""
_NEWEST: Final = sa.text(f"{_DELIVERIES} ORDER BY d.received_ms DESC LIMIT :limit")
_FAILED: Final = sa.text(
    f"{_DELIVERIES} WHERE d.outcome = 'failed' ORDER BY d.received_ms DESC LIMIT :limit"
)
_PENDING: Final = sa.text("""
    SELECT d.guid, d.event, d.action, d.installation_id, d.repository_id, d.number, d.received_ms,
        d.outcome, d.reason, p.repository
    FROM pull_states p CROSS JOIN deliveries d -- or SQLite would go through all deliveries
    WHERE p.finished < p.seq AND d.outcome = 'pending'
        AND d.repository_id = p.repository_id AND d.number = p.number
    ORDER BY d.received_ms DESC LIMIT :limit
""")
_DELIVERY: Final = sa.text(f"{_DELIVERIES} WHERE d.guid = :guid")
_DELIVERIES_OF: Final = sa.text(
    f"{_DELIVERIES} WHERE d.repository_id = :repository_id AND d.number = :number "
    "ORDER BY d.received_ms DESC LIMIT :limit"
)


def _job(row: Any, now_ms: int) -> JobRow:
    return JobRow(
        key=PullKey(repository_id=row.repository_id, number=row.number),
        seq=row.seq,
        repository=row.repository,
        installation_id=row.installation_id,
        head_sha=row.head_sha,
        state=_state(row, now_ms),
        since_ms=row.due_ms if row.finished < row.seq else row.updated_ms,
        attempts=row.attempts,
        error=row.error,
        request_id=row.request_id,
    )


def _state(row: Any, now_ms: int) -> JobState:
    if row.finished >= row.seq:
        return JobState.GIVEN_UP if row.outcome == Outcome.FAILED else JobState.DONE
    if row.begun:
        return JobState.RUNNING
    return JobState.DELAYED if row.due_ms > now_ms else JobState.WAITING


def _deliveries(rows: Iterable[Any]) -> tuple[DeliveryRow, ...]:
    return tuple(
        DeliveryRow(
            guid=row.guid,
            event=row.event,
            action=row.action,
            installation_id=row.installation_id,
            repository_id=row.repository_id,
            number=row.number,
            name=_name(row),
            received_ms=row.received_ms,
            outcome=Outcome(row.outcome),
            reason=row.reason,
        )
        for row in rows
    )


def _name(row: Any) -> str:
    if not row.repository:
        return ""
    return f"{row.repository}#{row.number}" if row.number else str(row.repository)
