from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.core.errors import SettingsError
from bot.store.database import Database
from tests.databases import Databases


@pytest.fixture
def file(databases: Databases) -> Iterator[str]:
    with databases.fresh("sqlite") as url:
        yield url


def test_sqlite_is_set_up_for_one_writer_that_survives_a_power_cut(file: str) -> None:
    database = Database(file)
    with database.engine.begin() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "busy_timeout": 30_000,  # milliseconds
        "foreign_keys": 1,
    }
    database.close()


async def test_a_transaction_that_fails_leaves_nothing_behind(database: Database) -> None:
    def insert_and_fail(connection: sa.Connection) -> None:
        connection.exec_driver_sql("INSERT INTO memoryrail_migrations VALUES (99)")
        raise LookupError

    with pytest.raises(LookupError):
        await database.transact(insert_and_fail)
    found = await database.transact(
        lambda connection: connection.exec_driver_sql(
            "SELECT COUNT(*) FROM memoryrail_migrations WHERE version = 99"
        ).scalar()
    )
    assert found == 0


def test_a_database_that_is_not_there_is_a_matter_of_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"MEMORYRAIL_DATABASE_URL: .* unable to open"):
        Database(f"sqlite:///{tmp_path / 'no folder' / 'bot.sqlite'}")


def test_nor_is_a_server_that_cannot_be_reached() -> None:
    password = "never" * 3
    with pytest.raises(SettingsError, match="cannot be opened: connection failed") as raised:
        Database(f"postgresql://me:{password}@127.0.0.1:1/bot")
    assert password not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_each_use_of_a_database_has_a_name_of_its_own(url: str) -> None:
    first, second = Database(url), Database(url)
    assert first.process != second.process
    first.close()
    second.close()


def test_who_lines_up_waits_until_the_one_before_has_committed(databases: Databases) -> None:
    with databases.fresh("postgresql") as url:
        first, second = Database(url), Database(url)
        with first.engine.connect() as before, second.engine.connect() as behind:
            before.begin()
            first.line_up(before)
            behind.exec_driver_sql("SET lock_timeout = '10ms'")
            behind.commit()
            with pytest.raises(sa.exc.OperationalError, match="lock timeout"):
                second.line_up(behind)
            behind.rollback()
            before.commit()
            second.line_up(behind)
        first.close()
        second.close()


def test_who_stands_still_in_line_is_thrown_out(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    with databases.fresh("postgresql") as url:
        first, second = Database(url), Database(url)
        monkeypatch.setattr("bot.store.database._SECONDS_TO_STAND_STILL", 0.02)
        first.engine.dispose()  # so that its next connection is a new one
        with first.engine.connect() as before, second.engine.connect() as behind:
            before.begin()
            first.line_up(before)
            second.line_up(behind)
            with pytest.raises(sa.exc.DBAPIError, match="idle-in-transaction timeout"):
                before.exec_driver_sql("SELECT 1")
        first.close()
        second.close()


def test_a_claim_ends_with_the_database(file: str) -> None:
    first, second = Database(file), Database(file)
    first.claim()
    first.claim()  # twice is once
    first.close()
    second.claim()
    second.close()
