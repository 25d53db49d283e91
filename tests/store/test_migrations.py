import asyncio
import sys
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.store.database import Database
from bot.store.migrations import MIGRATIONS
from tests.databases import KINDS, Databases

_START = """
import sys
from datetime import timedelta
from bot.jobs.queue import Queue
from bot.store.database import Database
print("started", flush=True)
sys.stdin.readline()
database = Database(sys.argv[1])
Queue(database, workers=1, poll=timedelta(seconds=1)).open()
database.close()
"""


@pytest.mark.parametrize("kind", KINDS)
async def test_each_migration_is_applied_once_however_many_start_together(
    databases: Databases, kind: str
) -> None:
    """Ours and those of dbos, in a database that is empty."""
    with databases.fresh(kind, migrated=False) as url:
        processes = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", _START, url),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            for _ in range(2)
        ]
        async with asyncio.timeout(timedelta(minutes=1).total_seconds()):
            for process in processes:
                assert process.stdout is not None
                assert await process.stdout.readline() == b"started\n"
            await asyncio.gather(*(process.communicate(b"\n") for process in processes))
        assert [process.returncode for process in processes] == [0, 0]
        database = Database(url)
        with database.engine.begin() as connection:
            applied = connection.exec_driver_sql("SELECT version FROM memoryrail_migrations")
            assert sorted(applied.scalars()) == list(range(1, len(MIGRATIONS) + 1))
            schema = "dbos" if database.is_shared else None
            assert sa.inspect(connection).has_table("workflow_status", schema)
        database.close()
