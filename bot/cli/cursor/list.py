"""memoryrail-bot cursor list: the entries of a file, a line for each."""

from pathlib import Path

import click

from bot.cli.cursor import place
from bot.formats.cursor.append import file_name
from bot.formats.cursor.validate import KINDS, read_file
from bot.render.memories import one_line


@click.command()
@click.option("--file", required=True, metavar="FILE", help="session-handoff, decisions, …")
@click.option("--kind", type=click.Choice(KINDS))
@click.option("--correlation", default="", metavar="ID", help="Entries of this task.")
@place.path_option
def command(*, file: str, kind: str | None, correlation: str, path: Path | None) -> None:
    """List the entries of a file in its order: id, moment, status and summary.

    Exit code: 0 done, also where there is none; 2 it cannot be done.
    """
    name = file_name(file)
    for entry in read_file(name, place.find(path).read(name)).blocks.entries:
        if kind in {None, entry.text("kind")} and correlation in {"", entry.text("correlation_id")}:
            columns = [f"{one_line(entry.id):<40}", f"{one_line(entry.text('at')):<20}"]
            columns += [f" {one_line(entry.text('status')):<12}", one_line(entry.text("summary"))]
            click.echo("  ".join(columns))
