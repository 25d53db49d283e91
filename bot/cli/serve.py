"""`memoryrail-bot serve`: the webhook server and its worker in one process."""

import os
from pathlib import Path

import click


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
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would log every request's address
    settings = Settings.read(os.environ, env_file=env_file)
    uvicorn.run(
        Bot(settings).web,
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=20,
    )
