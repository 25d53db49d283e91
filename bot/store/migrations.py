"""The tables' history: each entry brings a database one version further, once, under a lock.

An entry that was released is never edited; `tables.py` describes where the last one leads (a test
compares the two). Statements are plain SQL that SQLite and PostgreSQL both take.
"""

from typing import Final

import sqlalchemy as sa

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE deliveries (
            guid TEXT PRIMARY KEY,
            event TEXT NOT NULL,
            action TEXT,
            installation_id BIGINT,
            repository_id BIGINT,
            number BIGINT,
            seq BIGINT,
            received_ms BIGINT NOT NULL,
            outcome TEXT NOT NULL,
            reason TEXT
        )""",
        "CREATE INDEX deliveries_received ON deliveries (received_ms)",
        "CREATE INDEX deliveries_pull ON deliveries (repository_id, number)",
        """CREATE TABLE pull_states (
            repository_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            installation_id BIGINT NOT NULL,
            repository TEXT NOT NULL,
            head_sha TEXT,
            queued BOOLEAN NOT NULL,
            seq BIGINT NOT NULL,
            finished BIGINT NOT NULL,
            attempts INTEGER NOT NULL,
            outcome TEXT,
            error TEXT,
            request_id TEXT,
            updated_ms BIGINT NOT NULL,
            PRIMARY KEY (repository_id, number)
        )""",
        "CREATE INDEX pull_states_unfinished ON pull_states (seq) WHERE finished < seq",
    ),
)
_LOCK: Final = 7_305_921  # any number, as long as no other user of the database takes the same


def migrate(engine: sa.Engine) -> None:
    """Bring the tables up to date; processes that start together take turns."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # sqlite3 would not begin before a DDL
        else:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        connection.exec_driver_sql(
            "CREATE TABLE IF NOT EXISTS memoryrail_migrations (version INTEGER PRIMARY KEY)"
        )
        applied = sa.text("SELECT COALESCE(MAX(version), 0) FROM memoryrail_migrations")
        done: int = connection.execute(applied).scalar_one()
        for version, statements in enumerate(MIGRATIONS[done:], start=done + 1):
            for statement in statements:
                connection.exec_driver_sql(statement)
            record = sa.text("INSERT INTO memoryrail_migrations VALUES (:version)")
            connection.execute(record, {"version": version})
