"""`memoryrail-bot serve`: the webhook server, and its worker unless that runs elsewhere."""

import contextlib
import errno
import importlib.metadata
import os
import socket
from collections.abc import Sequence
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
SECONDS_TO_ANSWER: Final = 4  # for requests that have come when the process is told to stop
_BACKLOG: Final = 2048  # connections that wait to be accepted
_NO_ADDRESS: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
_NOT_STARTED: Final = 3  # exit code; uvicorn has logged why


@click.command(name="serve")
@click.option(
    "--env-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of NAME=value lines; what the environment sets wins over it.",
)
@click.option(
    "--no-worker",
    is_flag=True,
    help="Leave the jobs to the processes of `memoryrail-bot worker`; needs PostgreSQL.",
)
def command(env_file: Path | None, no_worker: bool) -> None:
    """Receive GitHub's events and keep pull requests up to date.

    The settings come from the environment; deploy/example.env lists them.
    """
    import logging

    import uvicorn

    from bot.app import Bot

    settings = set_up(env_file, is_one_of_several=no_worker)
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(each) for each in listen(settings.host, settings.port)]
        private = [stack.enter_context(each) for each in listen_privately(settings)]
        config = uvicorn.Config(
            Bot(settings, private=private, takes_jobs=not no_worker).web,
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=SECONDS_TO_ANSWER,
        )
        where = f"at {http_address(settings, sockets)}{' without a worker' if no_worker else ''}"
        logging.getLogger(__name__).info("%s", start_line(settings, where))
        server = uvicorn.Server(config)
        server.run(sockets=sockets)
    if not server.started:
        raise click.exceptions.Exit(_NOT_STARTED)


def set_up(env_file: Path | None, *, is_one_of_several: bool) -> "Settings":
    """Read the settings, and begin to log.

    Raises SettingsError, also where several processes are to use a database that is for one.
    """
    import logging

    from bot import logs
    from bot.settings import Settings

    settings = Settings.read(os.environ, env_file=env_file)
    logs.set_up(settings.log_format, secrets=settings.secrets)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    if is_one_of_several and settings.database_url.startswith("sqlite"):
        problem = (
            "MEMORYRAIL_DATABASE_URL names a SQLite file, which one process has to itself: "
            "`memoryrail-bot serve` does everything, apart it needs postgresql://…"
        )
        raise SettingsError((problem,))
    return settings


def listen_privately(settings: "Settings") -> list[socket.socket]:
    """Sockets for what is for the operator alone; none where the settings want none."""
    if settings.metrics_port is None:
        return []
    return listen(settings.metrics_host, settings.metrics_port, setting="METRICS_")


def listen(host: str, port: int, *, setting: str = "") -> list[socket.socket]:
    """Sockets on every address of this machine that host names, before anything is announced.

    setting: what stands before HOST and PORT in the names of the two settings.
    Raises SettingsError where nothing can listen there.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        problem = f"MEMORYRAIL_{setting}HOST {host} is a name without an address"
        raise SettingsError((problem,)) from None
    sockets: list[socket.socket] = []
    refused: OSError | None = None
    for family, address in dict.fromkeys((family, address) for family, *_, address in found):
        try:
            sockets.append(socket.create_server(address, family=family, backlog=_BACKLOG))
        except OSError as error:
            if error.errno not in _NO_ADDRESS:
                raise SettingsError((_why_not(error, host, port, setting),)) from None
            refused = error  # a name may have an address that this machine does not use
    if refused and not sockets:
        raise SettingsError((_why_not(refused, host, port, setting),))
    return sockets


def _why_not(error: OSError, host: str, port: int, setting: str) -> str:
    if error.errno in _NO_ADDRESS:
        return f"MEMORYRAIL_{setting}HOST {host} is no address of this machine"
    named = f"MEMORYRAIL_{setting}PORT {port}"
    if error.errno == errno.EADDRINUSE:
        return f"{named} is in use on {host}: another program listens there"
    if error.errno == errno.EACCES:
        return f"{named} is for the administrator of this machine: choose another"
    return f"{named} cannot be used on {host}: {os.strerror(error.errno or 0)}"


def http_address(settings: "Settings", sockets: Sequence[socket.socket] = ()) -> str:
    """Where the web server is to be reached on this machine. sockets: where it listens."""
    port = sockets[0].getsockname()[1] if sockets else settings.port  # 0 was any free one
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{port}"


def start_line(settings: "Settings", where: str) -> str:
    """What is started, for the log: no password and no secret."""
    from sqlalchemy import make_url

    database = make_url(settings.database_url)
    if database.get_backend_name() == "sqlite":
        kept = f"SQLite file {database.database}"
    else:
        host = database.host or database.query.get("host") or "the local socket"
        kept = f"PostgreSQL database {database.database} at {host}"
    return (
        f"memoryrail-bot {importlib.metadata.version('memoryrail-bot')} "
        f"{where}, app {settings.app_id} of {settings.github_url}, {kept}"
    )
