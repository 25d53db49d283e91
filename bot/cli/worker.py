"""`memoryrail-bot worker`: jobs without the web server, in any number of processes."""

import asyncio
import contextlib
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.serve import listen_privately, set_up, start_line

if TYPE_CHECKING:
    from bot.app import Bot


@click.command(name="worker")
@click.option(
    "--env-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of NAME=value lines; what the environment sets wins over it.",
)
def command(env_file: Path | None) -> None:
    """Keep pull requests up to date, beside `memoryrail-bot serve`.

    Needs PostgreSQL. Any number of workers may run, on any number of machines, all with the same
    settings; where one dies, the others take its work over.
    """
    import logging

    from bot.app import Bot

    settings = set_up(env_file, is_one_of_several=True)
    with contextlib.ExitStack() as stack:
        private = [stack.enter_context(each) for each in listen_privately(settings)]
        bot = Bot(settings, private=private)
        where = f"worker {bot.database.process}"
        logging.getLogger(__name__).info("%s", start_line(settings, where))
        asyncio.run(_work(bot))


async def _work(bot: "Bot") -> None:
    """Work until the process is told to end; running jobs are finished or handed back."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    async with bot.running():
        await ended.wait()
