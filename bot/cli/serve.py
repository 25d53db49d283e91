"""`memoryrail-bot serve`: the webhook server and its worker in one process."""

import importlib.metadata
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from bot.settings import Settings

_QUIET: Final = (
    "httpx",  # it would log every request's address
    # It would log each migration of its tables, and that SQLite is for development. Here a SQLite
    # file has one process, held by a lock, and commits that outlive a power cut (bot/store).
    "dbos",
)


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
    web = Bot(settings).web
    logging.getLogger(__name__).info("%s", start_line(settings))
    uvicorn.run(
        web,
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=20,
    )


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
