from datetime import timedelta

import sqlalchemy as sa

from bot.jobs.enqueue import enqueue
from bot.jobs.queue import Queue
from bot.store.database import Database
from bot.store.pulls import Job
from tests.jobs.conftest import key

_OF_EACH_ROW = {"created_at", "updated_at", "creator_xid", "retention_timestamp"}
_AT_ONCE = {"status": "ENQUEUED", "delay_until_epoch_ms": None}


def test_a_job_is_queued_in_the_very_rows_that_dbos_would_write(url: str) -> None:
    """Its client still queues what begins later."""
    database = Database(url)
    queue = Queue(database, workers=1, poll=timedelta(seconds=1))
    queue.open()
    found = []
    for delay in (0, 60):
        with database.engine.connect() as connection:  # and back to where it was
            queue.put(connection, Job(key=key(3), seq=2), delay=timedelta(seconds=delay))
            found.append((_rows(connection, "status"), _rows(connection, "input")))
    queue.close()
    database.close()
    (((ours,), inputs)), (((theirs,), their_inputs)) = found
    assert (ours, inputs) == (theirs | _AT_ONCE, their_inputs)
    assert len(inputs) == 1


def test_a_job_that_is_queued_already_stays_as_it_is(url: str) -> None:
    database = Database(url)
    job = Job(key=key(3), seq=2)
    with database.engine.connect() as connection:
        enqueue(connection, job)
        before = _rows(connection, "status")
        enqueue(connection, job)
        assert _rows(connection, "status") == before
    database.close()


def _rows(connection: sa.Connection, table: str) -> list[dict[str, object]]:
    schema = "" if connection.dialect.name == "sqlite" else "dbos."
    every = sa.text(f"SELECT * FROM {schema}workflow_{table}")  # noqa: S608 - constants alone
    rows = connection.execute(every).mappings()
    return [
        {name: value for name, value in row.items() if name not in _OF_EACH_ROW} for row in rows
    ]
