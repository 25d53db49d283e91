"""memoryrail-bot search: the memories that speak of something."""

from typing import Final

import click

from bot.cli import chosen, moves
from bot.core.search import search

MAX_FOUND: Final = 20


@click.command()
@click.argument("words", metavar="WORDS…", nargs=-1, required=True)
@chosen.options
@click.option(
    "--limit", type=click.IntRange(1), default=MAX_FOUND, show_default=True, help="At most so many."
)
def command(
    *,
    words: tuple[str, ...],
    types: tuple[str, ...],
    statuses: tuple[str, ...],
    tags: tuple[str, ...],
    path: str | None,
    as_json: bool,
    limit: int,
) -> None:
    """Find memories by words, the best match first; the active ones unless asked otherwise.

    Titles and tags weigh more than bodies, rare words more than common ones, and forms of a word
    count as one.

    Exit code: 0 found, 1 nothing found, 2 it cannot be done.

    \b
    Examples:
      memoryrail-bot search connection pool
      memoryrail-bot search "drizzle migrations" --status all
    """
    memories = chosen.chosen(moves.to_read(), types=types, statuses=statuses, tags=tags, path=path)
    found = search(memories, " ".join(words), limit=limit)
    if found or as_json:
        chosen.say(found, as_json=as_json)
    else:
        click.echo("Nothing found.")
    if not found:
        raise click.exceptions.Exit(1)
