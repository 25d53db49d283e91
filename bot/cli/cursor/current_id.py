"""memoryrail-bot cursor current-id: the correlation id of the task at work."""

from pathlib import Path

import click

from bot.cli.cursor import place


@click.command()
@place.path_option
def command(path: Path | None) -> None:
    """Print the correlation id of the task at work. A session begins where there is none.

    It stands in .cursor/hooks/.state/session.json, where the hooks keep it.
    """
    click.echo(place.find(path).active_id())
