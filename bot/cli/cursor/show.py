"""memoryrail-bot cursor show: an entry as it stands."""

from pathlib import Path

import click

from bot.cli.cursor import place
from bot.cli.family import say_error
from bot.core.quoting import cut
from bot.formats.cursor import query
from bot.render.markdown import visible


@click.command()
@click.argument("id_", metavar="ID")
@place.path_option
@click.pass_context
def command(context: click.Context, id_: str, path: Path | None) -> None:
    """Show an entry: its file, its lines, its fields and its text.

    Exit code: 0 shown, 1 there is none of this id, 2 it cannot be done.
    """
    hits = [hit for hit in query.entries_of(place.find(path).files()) if hit.entry.id == id_]
    for hit in hits:
        entry = hit.entry
        head = f"# {hit.file.name} (lines {entry.line}-{entry.last_line})"
        click.echo(visible("\n".join([head, *query.fields(entry), "", entry.body])))
    if not hits:
        say_error(f"There is no entry {cut(id_, 80)}.")
        context.exit(1)
