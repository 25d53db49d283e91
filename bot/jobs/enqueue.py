"""Puts a job where dbos takes it from, in the rows that its own client would write.

Its client builds and compiles its two statements anew for each job, which takes longer than all
else that a delivery needs of the database. tests/jobs/test_enqueue.py holds these rows to those of
the client, column by column: they must be looked at again when dbos's minor version changes.
"""

from typing import Final

import sqlalchemy as sa

from bot.jobs.serializer import NAME
from bot.store.pulls import Job
from bot.store.statement import Statement

APPLICATION: Final = "memoryrail"
# dbos runs a job only on the version that it was queued for, and would name versions by a hash of
# our code: after an update the waiting jobs would wait for ever.
VERSION: Final = "1"
QUEUE: Final = "pull_requests"
WORKFLOW: Final = "bring_up_to_date"


def enqueue(connection: sa.Connection, job: Job) -> None:
    """Queue a job, to begin at once; nothing happens where it is queued already."""
    key = job.key
    row = {"id": job.id, "partition": str(key)}
    schema = "" if connection.dialect.name == "sqlite" else "dbos."
    inputs = f'{{"args":[{key.repository_id},{key.number},{job.seq}],"kwargs":{{}}}}'
    _STATUS[schema].rows(connection, row)
    _INPUT[schema].rows(connection, {"id": job.id, "inputs": inputs})


_SCHEMAS: Final = ("", "dbos.")
_STATUS: Final = {
    schema: Statement(f"""
        INSERT INTO {schema}workflow_status
            (workflow_uuid, status, name, application_name, application_version, queue_name,
             queue_partition_key, priority, recovery_attempts, serialization, attributes)
        VALUES (:id, 'ENQUEUED', '{WORKFLOW}', '{APPLICATION}', '{VERSION}', '{QUEUE}',
            :partition, 0, 0, '{NAME}', 'null')
        ON CONFLICT (workflow_uuid) DO NOTHING
    """)  # noqa: S608 - constants alone
    for schema in _SCHEMAS
}
_INPUT: Final = {
    schema: Statement(f"""
        INSERT INTO {schema}workflow_input (workflow_uuid, inputs) VALUES (:id, :inputs)
        ON CONFLICT (workflow_uuid) DO NOTHING
    """)  # noqa: S608
    for schema in _SCHEMAS
}
