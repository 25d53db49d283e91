"""Puts jobs into the queue, inside the transaction that makes them necessary.

The database's own tables (bot/store) say which jobs must exist; dbos keeps the queue that runs
them. Both change in one transaction, so neither can get ahead of the other.
"""

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, EnqueueOptions

from bot.jobs.enqueue import APPLICATION, QUEUE, VERSION, WORKFLOW, enqueue
from bot.jobs.serializer import JsonSerializer
from bot.store import audit, commands, deliveries, pulls, work
from bot.store.commands import WaitingCommand
from bot.store.database import Database
from bot.store.deliveries import Delivery
from bot.store.pulls import HeadWake, Job, Wake
from bot.store.work import AuditNews, InstallationNews, News, RepositoryNews

_ENDED: Final = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_BATCH: Final = 500  # workflows a request; more would hold SQLite's one connection for too long
_RUNNING_IN_FILE: Final = sa.text(
    "SELECT DISTINCT executor_id FROM workflow_status WHERE status = 'PENDING'"
)
_RUNNING: Final = sa.text(
    "SELECT DISTINCT executor_id FROM dbos.workflow_status WHERE status = 'PENDING'"
)


class Queue:
    """The waiting jobs of a database."""

    def __init__(self, database: Database, *, workers: int, poll: timedelta) -> None:
        """workers: jobs at a time in one process. poll: how often a worker looks for jobs."""
        self._url = database.url.render_as_string(hide_password=False)
        self._workers, self._poll = workers, poll
        self._client = DBOSClient(
            system_database_engine=database.engine,
            serializer=JsonSerializer(),
            application_name=APPLICATION,
            lazy=True,
        )

    def open(self) -> None:
        """Bring dbos's tables up to date and set the queue up. Blocks; call it once, first."""
        DBOS.migrate(self._url)
        self._client.register_queue(
            QUEUE,
            worker_concurrency=self._workers,
            partition_concurrency=1,
            polling_interval_sec=self._poll / timedelta(seconds=1),
        )

    def accept(
        self,
        connection: sa.Connection,
        delivery: Delivery,
        news: Sequence[News],
        command: WaitingCommand | None,
    ) -> bool:
        """Write a delivery down and wake what it concerns; False when it was dealt with before.

        A delivery that wakes one pull request, or one repository's own job, stays pending until
        that job has ended. One that wakes several is done when their jobs are queued; each of them
        carries its own outcome. command: waits on the first pull request that is woken.
        """
        if not deliveries.record(connection, delivery, now_ms=now_ms()):
            return False
        known = [wake for one in news for wake in self._concerned(connection, one)]
        if command is not None and known:
            commands.add(connection, known[0].key, command, now_ms=now_ms())
        jobs = [self.wake(connection, wake) for wake in known]
        if len(jobs) == 1 and jobs[0].key.repository_id == delivery.repository_id:
            deliveries.await_job(
                connection, delivery.guid, number=jobs[0].key.number, seq=jobs[0].seq
            )
        return True

    def hear(self, connection: sa.Connection, news: News) -> None:
        """Wake what news concerns, without a delivery."""
        for wake in tuple(self._concerned(connection, news)):
            self.wake(connection, wake)

    def _concerned(self, connection: sa.Connection, news: News) -> Iterator[Wake]:
        """What news wakes; what it says of a repository is written down."""
        if isinstance(news, Wake):
            yield news
        elif isinstance(news, HeadWake):
            yield from pulls.at_head(connection, news) or self._look_for(connection, news)
        elif isinstance(news, RepositoryNews):
            yield from self._hear(connection, news)
        elif isinstance(news, AuditNews):
            audit.write_down(connection, news.key, news.rows, now_ms=now_ms())
        else:
            yield from self._hear_of_all(connection, news)

    def _hear(self, connection: sa.Connection, news: RepositoryNews) -> Iterator[Wake]:
        pulls.relabel(
            connection,
            news.repository_id,
            repository=news.repository,
            installation_id=news.installation_id,
        )
        if news.work:
            work.add(connection, news.repository_id, news.work, now_ms=now_ms())
            yield Wake(
                key=work.key_of(news.repository_id),
                installation_id=news.installation_id,
                repository=news.repository,
                reruns=news.reruns,
            )

    def _look_for(self, connection: sa.Connection, news: HeadWake) -> Iterator[Wake]:
        """Have GitHub asked who has a head that we never heard of."""
        looked_for = work.Work(kind=work.WorkKind.WAKE, head_sha=news.head_sha)
        one = RepositoryNews(
            repository_id=news.repository_id,
            installation_id=news.installation_id,
            repository=news.repository,
            work=(looked_for,),
        )
        return self._hear(connection, one)

    def _hear_of_all(self, connection: sa.Connection, news: InstallationNews) -> Iterator[Wake]:
        for repository_id, name in pulls.repositories(connection, news.installation_id):
            one = RepositoryNews(
                repository_id=repository_id,
                installation_id=news.installation_id,
                repository=name,
                work=news.work,
            )
            yield from self._hear(connection, one)

    def wake(self, connection: sa.Connection, wake: Wake) -> Job:
        """The job that brings a pull request up to date, queued unless it was waiting already.

        Whatever shares its head is woken too, and what shared the head that it had until now: the
        verdicts of a commit depend on all its pull requests. Those that stand on a head that it
        came to share are not of its base.
        """
        now, found = now_ms(), pulls.neighbours(connection, wake)
        joins = bool(found.here) and (wake.rejoins or found.moved)
        unsettles = wake.unsettles or joins
        on_head = [replace(one, unsettles=unsettles) for one in (wake, *found.here)]
        job, *_ = (self._wake(connection, one, now) for one in (*on_head, *found.left))
        return job

    def _wake(self, connection: sa.Connection, wake: Wake, now_ms: int) -> Job:
        job, is_new = pulls.wake(connection, wake, now_ms=now_ms)
        if is_new:
            self.put(connection, job)
        return job

    def put(self, connection: sa.Connection, job: Job, *, delay: timedelta = timedelta(0)) -> None:
        """Queue a job, to begin when delay has passed (dbos looks at delays once a second)."""
        if delay <= timedelta(0):
            enqueue(connection, job)
            return
        options: EnqueueOptions = {
            "workflow_name": WORKFLOW,
            "queue_name": QUEUE,
            "workflow_id": job.id,
            "queue_partition_key": str(job.key),
            "app_version": VERSION,
            "delay_seconds": delay / timedelta(seconds=1),
        }
        self._client.enqueue_in_transaction(
            connection, options, job.key.repository_id, job.key.number, job.seq
        )

    def lost(self, jobs: Sequence[Job]) -> tuple[Job, ...]:
        """Those of these unfinished jobs that dbos does not mean to run any more."""
        statuses: dict[str, Any] = {}
        for start in range(0, len(jobs), _BATCH):
            found = self._client.list_workflows(
                workflow_ids=[job.id for job in jobs[start : start + _BATCH]],
                load_input=False,
                load_output=False,
            )
            statuses |= {workflow.workflow_id: workflow.status for workflow in found}
        return tuple(job for job in jobs if statuses.get(job.id) in (None, *_ENDED))

    def executors(self, connection: sa.Connection) -> frozenset[str]:
        """The processes, alive or not, that dbos believes to be running a job.

        In our own words: dbos's would wait while the database is away, for up to a minute more.
        """
        running = _RUNNING_IN_FILE if connection.dialect.name == "sqlite" else _RUNNING
        return frozenset(connection.execute(running).scalars())

    def taken_from(self, executor: str, ids: Collection[str]) -> frozenset[str]:
        """Those of these job ids that are no longer a process's own to run."""
        if not ids:
            return frozenset()
        own = self._client.list_workflows(
            workflow_ids=list(ids),
            status="PENDING",
            executor_id=executor,
            load_input=False,
            load_output=False,
        )
        return frozenset(ids) - {workflow.workflow_id for workflow in own}

    def forget(self, *, retention: timedelta) -> int:
        """Delete what dbos keeps of jobs that ended longer ago than retention; how many.

        At most one batch: ask again until it is 0.
        """
        before = time.time() - retention / timedelta(seconds=1)
        old = self._client.list_workflows(
            completed_before=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(before)),
            status=list(_ENDED),
            limit=_BATCH,
            load_input=False,
            load_output=False,
        )
        if old:
            self._client.delete_workflows([workflow.workflow_id for workflow in old])
        return len(old)

    def close(self) -> None:
        """Let go of the client; the database stays open."""
        self._client.destroy()


def now_ms() -> int:
    """Unix time in milliseconds."""
    return time.time_ns() // 1_000_000
