from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bot.store.database import Database
from bot.store.migrations import MIGRATIONS


def test_each_migration_is_applied_once_however_many_start_together(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bot.sqlite'}"
    with ThreadPoolExecutor(4) as threads:
        databases = list(threads.map(lambda _: Database(url), range(4)))
    versions = "SELECT version FROM memoryrail_migrations ORDER BY version"
    with databases[0].engine.begin() as connection:
        applied = connection.exec_driver_sql(versions).scalars().all()
    assert applied == list(range(1, len(MIGRATIONS) + 1))
    for database in databases:
        database.close()
