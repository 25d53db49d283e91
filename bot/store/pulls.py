"""Pull requests: one job at a time, and one waiting job for everything that comes meanwhile.

The number 0 is no pull request: its jobs are for the repository itself (bot/store/work.py).

Each pull request numbers its jobs. `seq` is the newest job, `finished` the newest that has ended;
between the two something is waiting or running. While `queued` is set, job `seq` has not looked at
GitHub yet, so whatever wakes the pull request is already covered by it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import sqlalchemy as sa

from bot.store.deliveries import Outcome
from bot.store.statement import Statement


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PullKey:
    """A pull request by numbers that never change: GitHub's repository id, and its number there."""

    repository_id: int
    number: int

    def __str__(self) -> str:
        return f"{self.repository_id}:{self.number}"

    @property
    def is_repository(self) -> bool:
        """Whether it stands for the repository itself."""
        return self.number == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """A pull request to be brought up to date, and what was said about it."""

    key: PullKey
    installation_id: int
    repository: str  # owner/name, for people
    head_sha: str | None = None
    reruns: bool = False  # somebody wants new check runs, even if they say the same
    unsettles: bool = False  # what the checks on its head show may be another base's verdict
    rejoins: bool = False  # it was closed, and did not count for its head


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadWake:
    """Every pull request of a repository that has a head, number unknown."""

    repository_id: int
    installation_id: int
    repository: str  # owner/name, for people
    head_sha: str
    reruns: bool = False


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
    reruns: int  # how often new check runs were asked for
    unsettled_ms: int | None  # since when its checks may show another base's verdict


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
    heard = _of(wake.key) | {
        "installation_id": wake.installation_id,
        "repository": wake.repository,
        "head_sha": wake.head_sha,
        "reruns": int(wake.reruns),
        "unsettled": now_ms if wake.unsettles else None,
        "now": now_ms,
    }
    ((queued, seq),) = _HEAR.rows(connection, heard)
    if not queued:
        ((seq,),) = _QUEUE.rows(connection, _of(wake.key) | {"now": now_ms})
    return Job(key=wake.key, seq=seq), not queued


_HEAR: Final = Statement("""
    INSERT INTO pull_states
        (repository_id, number, installation_id, repository, head_sha, updated_ms,
         queued, seq, finished, attempts, reruns, unsettled_ms)
    VALUES (:repository_id, :number, :installation_id, :repository, :head_sha, :now,
            FALSE, 0, 0, 0, :reruns, :unsettled)
    ON CONFLICT (repository_id, number) DO UPDATE
        SET installation_id = excluded.installation_id,
            repository = excluded.repository,
            head_sha = COALESCE(excluded.head_sha, pull_states.head_sha),
            updated_ms = excluded.updated_ms,
            reruns = pull_states.reruns + excluded.reruns,
            unsettled_ms = COALESCE(excluded.unsettled_ms, pull_states.unsettled_ms)
    RETURNING queued, seq
""")
_QUEUE: Final = Statement("""
    UPDATE pull_states
    SET queued = TRUE, seq = seq + 1, attempts = 0, begun = FALSE, due_ms = :now
    WHERE repository_id = :repository_id AND number = :number
    RETURNING seq
""")


def settle(connection: sa.Connection, state: PullState) -> None:
    """Write down that the checks on its head show no other base's verdict.

    What was said since then is not undone. Without a head it holds for the one pull request.
    """
    seen = {"head": state.head_sha, "seen": state.unsettled_ms}
    connection.execute(_SETTLED, _of(state.key) | seen)


_SETTLED: Final = sa.text("""
    UPDATE pull_states SET unsettled_ms = NULL
    WHERE repository_id = :repository_id AND (number = :number OR head_sha = :head)
        AND unsettled_ms <= :seen
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """Whom a wake concerns too, by number. Where that is nobody, moved is False."""

    here: tuple[Wake, ...] = ()  # at the head that it names, else at the last one heard of
    left: tuple[Wake, ...] = ()  # at the last one heard of, where it names another
    moved: bool = False  # it names another


def neighbours(connection: sa.Connection, wake: Wake) -> Neighbours:
    """The pull requests that share the head of the one to be woken, or did until now."""
    where = _of(wake.key) | {"head_sha": wake.head_sha}
    rows = _NEIGHBOURS.rows(connection, where)
    if not rows:
        return Neighbours()
    before = rows[0][-1]
    head = wake.head_sha or before
    return Neighbours(
        here=_wakes(wake.key.repository_id, (row[:3] for row in rows if row[3] == head)),
        left=_wakes(wake.key.repository_id, (row[:3] for row in rows if row[3] != head)),
        moved=before != head,
    )


_NEIGHBOURS: Final = Statement("""
    SELECT number, installation_id, repository, head_sha,
        (SELECT head_sha FROM pull_states
            WHERE repository_id = :repository_id AND number = :number) AS before
    FROM pull_states
    WHERE repository_id = :repository_id AND number <> :number AND head_sha IN (
        :head_sha,
        (SELECT head_sha FROM pull_states
            WHERE repository_id = :repository_id AND number = :number)
    )
""")


def sharing(
    connection: sa.Connection, key: PullKey, heads: Collection[str | None]
) -> tuple[Wake, ...]:
    """A wake for each other pull request of the repository that was last heard of at these heads.

    By number, open or not: a check run belongs to the commit, so they share one verdict.
    """
    known = [head for head in heads if head]
    rows = connection.execute(_SHARING, _of(key) | {"heads": known}) if known else ()
    return _wakes(key.repository_id, rows)


def _wakes(repository_id: int, rows: Iterable[Sequence[Any]]) -> tuple[Wake, ...]:
    """Wakes by number; with ORDER BY SQLite would read all pull requests of the repository."""
    return tuple(
        Wake(
            key=PullKey(repository_id=repository_id, number=number),
            installation_id=installation_id,
            repository=repository,
        )
        for number, installation_id, repository in sorted(map(tuple, rows))
    )


def at_head(connection: sa.Connection, wanted: HeadWake) -> tuple[Wake, ...]:
    """A wake for each pull request that was last heard of at a head, by number."""
    nobody = PullKey(repository_id=wanted.repository_id, number=0)
    found = sharing(connection, nobody, [wanted.head_sha])
    return tuple(replace(wake, reruns=wanted.reruns) for wake in found)


_SHARING: Final = sa.text("""
    SELECT number, installation_id, repository FROM pull_states
    WHERE repository_id = :repository_id AND number <> :number AND head_sha IN :heads
""").bindparams(sa.bindparam("heads", expanding=True))


def relabel(
    connection: sa.Connection, repository_id: int, *, repository: str, installation_id: int
) -> int:
    """Write down the present name and installation of a repository; how many rows had others."""
    now = {
        "repository_id": repository_id,
        "repository": repository,
        "installation_id": installation_id,
    }
    return connection.execute(_RELABEL, now).rowcount


_RELABEL: Final = sa.text("""
    UPDATE pull_states SET repository = :repository, installation_id = :installation_id
    WHERE repository_id = :repository_id
        AND (repository <> :repository OR installation_id <> :installation_id)
""")


def repositories(connection: sa.Connection, installation_id: int) -> tuple[tuple[int, str], ...]:
    """Id and name of every repository that an installation was ever heard of with, by id."""
    rows = connection.execute(_REPOSITORIES, {"installation_id": installation_id})
    return tuple((row.repository_id, row.repository) for row in rows)


_REPOSITORIES: Final = sa.text("""
    SELECT repository_id, MAX(repository) AS repository FROM pull_states
    WHERE installation_id = :installation_id
    GROUP BY repository_id ORDER BY repository_id
""")


def take(connection: sa.Connection, job: Job) -> int | None:
    """Begin a job: how many were begun since the last wake, this one included.

    None when a newer job will do its work, or when it has ended already.
    """
    attempt: int | None = connection.execute(_TAKE, _of(job.key) | {"seq": job.seq}).scalar()
    return attempt


_TAKE: Final = sa.text("""
    UPDATE pull_states SET queued = FALSE, begun = TRUE, attempts = attempts + 1
    WHERE repository_id = :repository_id AND number = :number AND seq = :seq AND finished < seq
    RETURNING attempts
""")


def finish(
    connection: sa.Connection, job: Job, *, now_ms: int, failure: Failure | None = None
) -> tuple[int, ...]:
    """End a job, and settle the deliveries that waited for it: when each came, in Unix ms."""
    end = {
        "seq": job.seq,
        "outcome": Outcome.DONE if failure is None else Outcome.FAILED,
        "error": None if failure is None else failure.error,
        "request_id": None if failure is None else failure.request_id,
        "now": now_ms,
    }
    connection.execute(_FINISH, _of(job.key) | end)
    return tuple(connection.execute(_SETTLE, _of(job.key) | end).scalars())


_FINISH: Final = sa.text("""
    UPDATE pull_states
    SET finished = :seq, outcome = :outcome, error = :error, request_id = :request_id,
        updated_ms = :now
    WHERE repository_id = :repository_id AND number = :number AND finished < :seq
""")
_SETTLE: Final = sa.text("""
    UPDATE deliveries SET outcome = :outcome, reason = :error
    WHERE repository_id = :repository_id AND number = :number AND seq <= :seq
        AND outcome = 'pending'
    RETURNING received_ms
""")


def follow_up(
    connection: sa.Connection,
    job: Job,
    *,
    covers_wakes: bool,
    counts: bool = True,
    due_ms: int | None = None,
    failure: Failure | None = None,
) -> Job | None:
    """A next job in place of one that ended without a result; it is to be enqueued.

    covers_wakes: whatever wakes the pull request until then waits for that job too.
    counts: the attempt that ended is counted.
    due_ms: from when it may begin; None for when the other might have.
    failure: what ended the other; None leaves the last one standing.
    None when a newer job exists already and will do.
    """
    how = {
        "seq": job.seq,
        "queued": covers_wakes,
        "uncounted": 0 if counts else 1,
        "due": due_ms,
        "error": None if failure is None else failure.error,
        "request_id": None if failure is None else failure.request_id,
    }
    seq = connection.execute(_FOLLOW_UP, _of(job.key) | how).scalar()
    return None if seq is None else Job(key=job.key, seq=seq)


_FOLLOW_UP: Final = sa.text("""
    UPDATE pull_states
    SET seq = seq + 1, queued = :queued, begun = FALSE, attempts = attempts - :uncounted,
        due_ms = COALESCE(:due, due_ms), error = COALESCE(:error, error),
        request_id = COALESCE(:request_id, request_id)
    WHERE repository_id = :repository_id AND number = :number AND seq = :seq AND finished < seq
    RETURNING seq
""")


def state(connection: sa.Connection, key: PullKey) -> PullState | None:
    """What is known of a pull request; None when nothing ever woke it."""
    row = connection.execute(_STATE, _of(key)).one_or_none()
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
        reruns=row.reruns,
        unsettled_ms=row.unsettled_ms,
    )


_STATE: Final = sa.text("""
    SELECT installation_id, repository, head_sha, finished, seq, outcome, error, request_id,
        reruns, unsettled_ms
    FROM pull_states WHERE repository_id = :repository_id AND number = :number
""")


def woken_ms(connection: sa.Connection, key: PullKey) -> int:
    """When a pull request with an unfinished job was woken last: Unix milliseconds."""
    found: int = connection.execute(_WOKEN, _of(key)).scalar_one()
    return found


_WOKEN: Final = sa.text(
    "SELECT updated_ms FROM pull_states WHERE repository_id = :repository_id AND number = :number"
)


def unfinished(connection: sa.Connection) -> tuple[Job, ...]:
    """The newest job of each pull request that has one waiting or running, by key."""
    return tuple(
        Job(key=PullKey(repository_id=repository_id, number=number), seq=seq)
        for repository_id, number, seq in connection.execute(_UNFINISHED)
    )


_UNFINISHED: Final = sa.text("""
    SELECT repository_id, number, seq FROM pull_states WHERE finished < seq
    ORDER BY repository_id, number
""")


def is_idle(connection: sa.Connection) -> bool:
    """Whether no job waits or runs."""
    return connection.execute(_BUSY).first() is None


_BUSY: Final = sa.text("SELECT 1 FROM pull_states WHERE finished < seq LIMIT 1")


def _of(key: PullKey) -> dict[str, object]:
    return {"repository_id": key.repository_id, "number": key.number}
