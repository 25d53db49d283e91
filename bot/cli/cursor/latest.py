"""memoryrail-bot cursor latest: the latest entries of a file, as they stand."""

from pathlib import Path

import click

from bot.cli.cursor import place
from bot.formats.cursor import query
from bot.formats.cursor.append import file_name
from bot.formats.cursor.validate import KINDS, read_file
from bot.render.markdown import visible


@click.command()
@click.option("--file", required=True, metavar="FILE", help="session-handoff, decisions, …")
@click.option("--kind", required=True, type=click.Choice(KINDS))
@click.option("--n", "count", type=click.IntRange(1), default=1, show_default=True)
@place.path_option
def command(*, file: str, kind: str, count: int, path: Path | None) -> None:
    """Show the latest entries of a file, the oldest of them first. The last one counts most.

    Exit code: 0 done, also where there is none; 2 it cannot be done.
    """
    name = file_name(file)
    hits = query.entries_of([read_file(name, place.find(path).read(name))])
    for hit in [hit for hit in hits if hit.entry.text("kind") == kind][-count:]:
        click.echo(visible(query.block(hit)))
