"""The one door to the database, a SQLite file or PostgreSQL, shared with the job engine.

SQLite has one writer at a time, and several connections wait for each other unfairly (seconds, not
milliseconds). So a SQLite file gets one connection, shared by everything in the process, and one
process at a time may work on it. PostgreSQL gets a pool and any number of processes.
"""

import asyncio
import fcntl
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

import psycopg
import sqlalchemy as sa

from bot.core.errors import SettingsError
from bot.store.migrations import MIGRATIONS, migrate, version

T = TypeVar("T")

_SECONDS_TO_WAIT: Final = 30  # for the connection, or for another process's write
_POOL_SIZE: Final = 10  # connections of one process to PostgreSQL
_SECONDS_TO_STAND_STILL: Final = 10  # inside a transaction


class Database:
    """A migrated database. Never ask it, or the job engine, for a second connection while you hold
    one: on SQLite there is only one, and the wait would end in a time-out."""

    def __init__(self, url: str, *, migrates: bool = True) -> None:
        """Connect, and bring the tables up to date.

        url: `sqlite:///relative.sqlite`, `sqlite:////absolute.sqlite` or `postgresql://…`.
        migrates: else the database must be there already, with the tables of this version.
        process: names this use of it, at no other time and nowhere else the same.
        Raises SettingsError when there is no such database to be had.
        """
        self.url = sa.make_url(url)
        self.is_shared: Final = self.url.get_backend_name() == "postgresql"  # by many processes
        self.process: Final = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        if self.is_shared:
            self.url = self.url.set(drivername="postgresql+psycopg")
        self.engine = _engine(self.url)
        self._lock: int | None = None
        self._threads = ThreadPoolExecutor(max_workers=_POOL_SIZE, thread_name_prefix="store")
        try:
            if migrates:
                migrate(self.engine)
            else:
                self._check()
        except (sa.exc.OperationalError, sa.exc.ProgrammingError) as error:
            self.close()
            reason = str(error.orig).partition("\n")[0]  # the rest would quote our statement
            problem = f"MEMORYRAIL_DATABASE_URL: the database cannot be opened: {reason}"
            raise SettingsError((problem,)) from error

    def _check(self) -> None:
        """Raise SettingsError unless the tables are there, as this version has them."""
        file = self.url.database if self.url.get_backend_name() == "sqlite" else None
        found = 0 if file and not Path(file).exists() else version(self.engine)
        if found == len(MIGRATIONS):
            return
        self.close()
        where = file or f"the database {self.url.database}"
        problem = (
            f"{where} holds tables of version {found}, this program has version {len(MIGRATIONS)}: "
            "use the same program as the bot that runs"
            if found
            else f"the bot has kept nothing in {where} yet"
        )
        raise SettingsError((f"MEMORYRAIL_DATABASE_URL: {problem}",))

    async def transact(self, act: Callable[[sa.Connection], T]) -> T:
        """Run act in one transaction, off the event loop; commit when it returns."""
        return await self.off_the_loop(lambda: self.transact_here(act))

    async def off_the_loop(self, act: Callable[[], T]) -> T:
        """Run what uses the database, off the event loop; close waits until it has ended."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, act)

    def transact_here(self, act: Callable[[sa.Connection], T]) -> T:
        """Run act in one transaction, on the calling thread; commit when it returns."""
        with self.engine.begin() as connection:
            return act(connection)

    def line_up(self, connection: sa.Connection) -> None:
        """Wait until no other process is between here and the end of its transaction.

        For transactions that touch many rows in any order, which could block one another.
        """
        if self.is_shared:
            connection.execute(_LINE_UP)

    def claim(self) -> None:
        """Make this the one process that works on a SQLite file, until it ends or closes.

        Raises SettingsError when another process does already. Nothing to do on PostgreSQL.
        """
        if self.is_shared or self._lock is not None:
            return
        lock = os.open(f"{self.url.database}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            problem = f"another process works on {self.url.database}; several need PostgreSQL"
            raise SettingsError((f"MEMORYRAIL_DATABASE_URL: {problem}",)) from None
        self._lock = lock

    def close(self) -> None:
        """Let go of every connection and of the claim."""
        self._threads.shutdown(wait=True)
        self.engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


# Any number; bot/store/migrations.py has another.
_LINE_UP: Final = sa.text("SELECT pg_advisory_xact_lock(7305922)")


def _engine(url: sa.URL) -> sa.Engine:
    if url.get_backend_name() == "postgresql":
        engine = sa.create_engine(url, pool_size=_POOL_SIZE, max_overflow=0, pool_pre_ping=True)
        sa.event.listen(engine, "connect", _set_up_postgresql)
        return engine
    engine = sa.create_engine(
        url,
        poolclass=sa.QueuePool,
        pool_size=1,
        max_overflow=0,
        pool_timeout=_SECONDS_TO_WAIT,
        connect_args={"check_same_thread": False, "timeout": _SECONDS_TO_WAIT},
    )
    sa.event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_postgresql(connection: psycopg.Connection, _record: object) -> None:
    """A process that stands still, or a machine that is gone, blocks the others for this long."""
    limit = round(_SECONDS_TO_STAND_STILL * 1000)  # milliseconds
    connection.execute(f"SET idle_in_transaction_session_timeout = {limit}")
    connection.commit()


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """WAL keeps readers and the writer apart; FULL makes a commit outlive a power cut."""
    connection.isolation_level = "IMMEDIATE"
    _turn_to_wal(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _turn_to_wal(connection: sqlite3.Connection) -> None:
    """SQLite waits for its locks, but not for this one: processes that start together try again."""
    end = time.monotonic() + _SECONDS_TO_WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return
