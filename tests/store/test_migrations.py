from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sqlalchemy as sa

from bot.store.database import Database
from bot.store.migrations import MIGRATIONS
from bot.store.tables import metadata


def test_the_migrations_lead_to_the_tables_of_the_code(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'bot.sqlite'}")
    inspector = sa.inspect(database.engine)
    for table in metadata.sorted_tables:
        columns = {column["name"]: column for column in inspector.get_columns(table.name)}
        assert columns.keys() == set(table.columns.keys())
        for column in table.columns:
            made = columns[column.name]
            assert str(made["type"]) == str(column.type.compile(database.engine.dialect))
            assert made["nullable"] == column.nullable or column.primary_key
        keys = inspector.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key]
    database.close()


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
