"""What `jobs` and `deliveries` share: the database beside the running bot, and how they print."""

import contextlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.core.errors import UserError

if TYPE_CHECKING:
    from bot.store.database import Database

env_file = click.option(
    "--env-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The bot's file of settings; what the environment sets wins over it.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="For programs.")
limit = click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="How many to show at most.",
)
_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@contextlib.contextmanager
def opened(env_file: Path | None) -> Iterator["Database"]:
    """The database of the bot's settings. Raises SettingsError, and UserError when it is away."""
    from sqlalchemy.exc import DBAPIError

    from bot.settings import database_url
    from bot.store.database import Database

    database = Database(database_url(os.environ, env_file=env_file), migrates=False)
    try:
        yield database
    except DBAPIError as error:
        why = str(error.orig).partition("\n")[0]
        raise UserError(f"the database does not answer: {why}") from error
    finally:
        database.close()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a head, in columns of text."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        click.echo("  ".join(map(str.ljust, row, widths)).rstrip())


def document(value: object) -> None:
    """Print it as JSON."""
    click.echo(json.dumps(value, indent=2))


def now_ms() -> int:
    """Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


def span(ms: int) -> str:
    """How long ago, or from now, a moment is: such as "5 min" or "in 40 s"."""
    seconds = (now_ms() - ms) // 1000
    size, unit = next(((size, unit) for size, unit in _UNITS if abs(seconds) >= size), _UNITS[-1])
    return f"{seconds // size} {unit}" if seconds >= 0 else f"in {-seconds // size} {unit}"


def moment(ms: int) -> str:
    """A moment as 2026-11-30T09:00:00Z."""
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
