"""memoryrail-bot cursor migrate: entries of older versions of the format."""

from pathlib import Path

import click

from bot.cli.cursor import place
from bot.cli.family import say_error
from bot.core.quoting import cut
from bot.formats.cursor.migrations import migrate
from bot.formats.cursor.versions import SCHEMA_VERSION
from bot.render import phrases


@click.command()
@click.option("--apply", is_flag=True, help="Write what changes.")
@click.option("--verbose", is_flag=True, help="Name every entry.")
@place.path_option
@click.pass_context
def command(context: click.Context, *, apply: bool, verbose: bool, path: Path | None) -> None:
    """Say which entries are of another version, and bring them to the current one with --apply.

    Exit code: 0 all are current or can be migrated, 1 one cannot, 2 it cannot be done.
    """
    where = place.find(path, is_there=True)
    if apply:
        with where.locked():
            planned = migrate(where.contents())
            where.write(planned.contents)
    else:
        planned = migrate(where.contents())
    for one in planned.left:
        say_error(
            f"{one.name}:{one.line}: error: Entry {one.id}: version {cut(one.version, 20)} leads "
            "to no version that is known here (unknown-schema-version)"
        )
    if verbose:
        for id_ in planned.ids:
            click.echo(id_)
    entries = phrases.count(len(planned.ids), "entry", "entries")
    click.echo(f"{entries} {'migrated' if apply else 'to migrate'} to version {SCHEMA_VERSION}.")
    if planned.left:
        context.exit(1)
