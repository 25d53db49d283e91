from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.core.errors import SettingsError
from bot.store.database import Database


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'bot.sqlite'}"


def test_sqlite_is_set_up_for_one_writer_that_survives_a_power_cut(url: str) -> None:
    database = Database(url)
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


async def test_a_transaction_that_fails_leaves_nothing_behind(url: str) -> None:
    database = Database(url)

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
    database.close()


def test_a_database_that_is_not_there_is_a_matter_of_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"MEMORYRAIL_DATABASE_URL: .* unable to open"):
        Database(f"sqlite:///{tmp_path / 'no folder' / 'bot.sqlite'}")


def test_a_claim_ends_with_the_database(url: str) -> None:
    first, second = Database(url), Database(url)
    first.claim()
    first.claim()  # twice is once
    first.close()
    second.claim()
    second.close()
