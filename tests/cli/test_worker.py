"""Web server and worker in processes of their own."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import main
from bot.sandbox.state.apps import key_pair
from bot.store.database import Database
from tests.databases import Databases

SECRET = "not-a-" * 5


@pytest.fixture
def environment() -> dict[str, str]:
    return {
        "MEMORYRAIL_APP_ID": "123",
        "MEMORYRAIL_PRIVATE_KEY": key_pair()[0],
        "MEMORYRAIL_WEBHOOK_SECRET": SECRET,
        "MEMORYRAIL_GITHUB_URL": "http://127.0.0.1:1",
    }


@pytest.mark.parametrize("command", [["worker"], ["serve", "--no-worker"]])
def test_a_sqlite_file_is_for_one_process(
    environment: dict[str, str], tmp_path: Path, command: list[str]
) -> None:
    environment["MEMORYRAIL_DATABASE_URL"] = f"sqlite:///{tmp_path / 'bot.sqlite'}"
    result = CliRunner().invoke(main, command, env=environment)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "MEMORYRAIL_DATABASE_URL names a SQLite file, which one process has" in result.stderr
    assert list(tmp_path.iterdir()) == []


async def test_a_worker_takes_jobs_until_it_is_told_to_end(
    environment: dict[str, str], databases: Databases
) -> None:
    def alive() -> list[str]:
        with database.engine.connect() as connection:
            return list(connection.exec_driver_sql("SELECT id FROM executors").scalars())

    with databases.fresh("postgresql") as url:
        database = Database(url)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from bot.cli import main; main()", "worker"),
            env=os.environ | environment | {"MEMORYRAIL_DATABASE_URL": url},
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stderr is not None
        async with asyncio.timeout(60):
            log = (await process.stderr.readline()).decode()
            while not alive():
                assert process.returncode is None
                await asyncio.sleep(0.01)
            (name,) = alive()
            process.terminate()
            log += (await process.stderr.read()).decode()
        assert await process.wait() == 0
        assert f"worker {name}, app 123 of http://127.0.0.1:1, PostgreSQL database" in log
        assert SECRET not in log
        assert alive() == []
        database.close()
