"""Pull requests: one job at a time, and one waiting job for everything that comes meanwhile.

Each pull request numbers its jobs. `seq` is the newest job, `finished` the newest that has ended;
between the two something is waiting or running. While `queued` is set, job `seq` has not looked at
GitHub yet, so whatever wakes the pull request is already covered by it.
"""

from dataclasses import dataclass

import sqlalchemy as sa

from bot.store.deliveries import Outcome
from bot.store.tables import deliveries, pull_states, upsert


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PullKey:
    """A pull request by numbers that never change: GitHub's repository id, and its number there."""

    repository_id: int
    number: int

    def __str__(self) -> str:
        return f"{self.repository_id}:{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """A pull request to be brought up to date, and what was said about it."""

    key: PullKey
    installation_id: int
    repository: str  # owner/name, for people
    head_sha: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PullState:
    """What is known of a pull request without asking GitHub."""

    key: PullKey
    installation_id: int
    repository: str
    head_sha: str | None  # the last head heard of; a newer one may exist
    busy: bool  # a job waits or runs
    outcome: Outcome | None  # of the last job that ended
    error: str | None
    request_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job of a pull request."""

    key: PullKey
    seq: int

    @property
    def id(self) -> str:
        """Its name in the engine, equal only for the same job."""
        return f"{self.key}:{self.seq}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a job was given up: the exception's class, and the id that finds it in the log."""

    error: str
    request_id: str


def wake(connection: sa.Connection, wake: Wake, *, now_ms: int) -> tuple[Job, bool]:
    """The job that will bring a pull request up to date, and whether it is new.

    A new one is to be enqueued in the same transaction.
    """
    known = {
        "installation_id": wake.installation_id,
        "repository": wake.repository,
        "updated_ms": now_ms,
        **({} if wake.head_sha is None else {"head_sha": wake.head_sha}),
    }
    fresh = {"queued": False, "seq": 0, "finished": 0, "attempts": 0}
    key = {"repository_id": wake.key.repository_id, "number": wake.key.number}
    row = connection.execute(
        upsert(connection, pull_states)
        .values(**key, **known, **fresh)
        .on_conflict_do_update(index_elements=list(key), set_=known)
        .returning(pull_states.c.queued, pull_states.c.seq)
    ).one()
    if row.queued:
        return Job(key=wake.key, seq=row.seq), False
    connection.execute(_update(wake.key).values(queued=True, seq=pull_states.c.seq + 1, attempts=0))
    return Job(key=wake.key, seq=row.seq + 1), True


def take(connection: sa.Connection, job: Job) -> int | None:
    """Begin a job: how many were begun since the last wake, this one included.

    None when a newer job will do its work, or when it has ended already.
    """
    begun = connection.execute(
        _update(job.key)
        .where(pull_states.c.seq == job.seq, pull_states.c.finished < job.seq)
        .values(queued=False, attempts=pull_states.c.attempts + 1)
        .returning(pull_states.c.attempts)
    )
    return begun.scalar()


def finish(
    connection: sa.Connection, job: Job, *, now_ms: int, failure: Failure | None = None
) -> None:
    """End a job, and settle the deliveries that waited for it."""
    outcome = Outcome.DONE if failure is None else Outcome.FAILED
    error = None if failure is None else failure.error
    connection.execute(
        _update(job.key)
        .where(pull_states.c.finished < job.seq)
        .values(
            finished=job.seq,
            outcome=outcome,
            error=error,
            request_id=None if failure is None else failure.request_id,
            updated_ms=now_ms,
        )
    )
    connection.execute(
        sa.update(deliveries)
        .where(
            deliveries.c.repository_id == job.key.repository_id,
            deliveries.c.number == job.key.number,
            deliveries.c.outcome == Outcome.PENDING,
            deliveries.c.seq <= job.seq,
        )
        .values(outcome=outcome, reason=error)
    )


def succeed(
    connection: sa.Connection, job: Job, *, covers_wakes: bool, counts: bool = True
) -> Job | None:
    """A next job in place of one that ended without a result; it is to be enqueued.

    covers_wakes: whatever wakes the pull request until then waits for that job too.
    counts: the attempt that ended is counted.
    None when a newer job exists already and will do.
    """
    next_seq = connection.execute(
        _update(job.key)
        .where(pull_states.c.seq == job.seq, pull_states.c.finished < job.seq)
        .values(
            seq=job.seq + 1,
            queued=covers_wakes,
            **({} if counts else {"attempts": pull_states.c.attempts - 1}),
        )
        .returning(pull_states.c.seq)
    ).scalar()
    return None if next_seq is None else Job(key=job.key, seq=next_seq)


def state(connection: sa.Connection, key: PullKey) -> PullState | None:
    """What is known of a pull request; None when nothing ever woke it."""
    row = connection.execute(sa.select(pull_states).where(*_is(key))).one_or_none()
    if row is None:
        return None
    return PullState(
        key=key,
        installation_id=row.installation_id,
        repository=row.repository,
        head_sha=row.head_sha,
        busy=row.finished < row.seq,
        outcome=None if row.outcome is None else Outcome(row.outcome),
        error=row.error,
        request_id=row.request_id,
    )


def unfinished(connection: sa.Connection, *, limit: int | None = None) -> tuple[Job, ...]:
    """The newest job of each pull request that has one waiting or running, by key."""
    rows = connection.execute(
        sa.select(pull_states.c.repository_id, pull_states.c.number, pull_states.c.seq)
        .where(pull_states.c.finished < pull_states.c.seq)
        .order_by(pull_states.c.repository_id, pull_states.c.number)
        .limit(limit)
    )
    return tuple(
        Job(key=PullKey(repository_id=row.repository_id, number=row.number), seq=row.seq)
        for row in rows
    )


def _is(key: PullKey) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return (
        pull_states.c.repository_id == key.repository_id,
        pull_states.c.number == key.number,
    )


def _update(key: PullKey) -> sa.Update:
    return sa.update(pull_states).where(*_is(key))
