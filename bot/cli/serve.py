"""`memoryrail-bot serve`: the webhook server and its worker in one process."""

import contextlib
import errno
import importlib.metadata
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.core.errors import SettingsError

if TYPE_CHECKING:
    from bot.settings import Settings

_QUIET: Final = (
    "httpx",  # it would log every request's address
    # It would log each migration of its tables, and that SQLite is for development. Here a SQLite
    # file has one process, held by a lock, and commits that outlive a power cut (bot/store).
    "dbos",
)
_BACKLOG: Final = 2048  # connections that wait to be accepted
_NO_ADDRESS: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
_NOT_STARTED: Final = 3  # exit code; uvicorn has logged why


@click.command(name="serve")
@click.option(
    "--env-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of NAME=value lines; what the environment sets wins over it.",
)
def command(env_file: Path | None) -> None:
    """Receive GitHub's events and keep pull requests up to date.

    The settings come from the environment; deploy/example.env lists them.
    """
    import logging

    import uvicorn

    from bot.app import Bot
    from bot.settings import Settings

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    settings = Settings.read(os.environ, env_file=env_file)
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(each) for each in listen(settings.host, settings.port)]
        config = uvicorn.Config(
            Bot(settings).web, access_log=False, log_config=None, timeout_graceful_shutdown=20
        )
        logging.getLogger(__name__).info("%s", start_line(settings))
        server = uvicorn.Server(config)
        server.run(sockets=sockets)
    if not server.started:
        raise click.exceptions.Exit(_NOT_STARTED)


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets on every address of this machine that host names, before anything is announced.

    Raises SettingsError where nothing can listen there.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        raise SettingsError((f"MEMORYRAIL_HOST {host} is a name without an address",)) from None
    sockets: list[socket.socket] = []
    refused: OSError | None = None
    for family, address in dict.fromkeys((family, address) for family, *_, address in found):
        try:
            sockets.append(socket.create_server(address, family=family, backlog=_BACKLOG))
        except OSError as error:
            if error.errno not in _NO_ADDRESS:
                raise SettingsError((_why_not(error, host, port),)) from None
            refused = error  # a name may have an address that this machine does not use
    if refused and not sockets:
        raise SettingsError((_why_not(refused, host, port),))
    return sockets


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno in _NO_ADDRESS:
        return f"MEMORYRAIL_HOST {host} is no address of this machine"
    if error.errno == errno.EADDRINUSE:
        return f"MEMORYRAIL_PORT {port} is in use on {host}: another program listens there"
    if error.errno == errno.EACCES:
        return f"MEMORYRAIL_PORT {port} is for the administrator of this machine: choose another"
    return f"MEMORYRAIL_PORT {port} cannot be used on {host}: {os.strerror(error.errno or 0)}"


def start_line(settings: "Settings") -> str:
    """What is started, for the log: no password and no secret."""
    from sqlalchemy import make_url

    database = make_url(settings.database_url)
    if database.get_backend_name() == "sqlite":
        kept = f"SQLite file {database.database}"
    else:
        kept = f"PostgreSQL database {database.database} at {database.host or 'the local socket'}"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return (
        f"memoryrail-bot {importlib.metadata.version('memoryrail-bot')} "
        f"at http://{host}:{settings.port}, app {settings.app_id} "
        f"of {settings.github_url}, {kept}"
    )
