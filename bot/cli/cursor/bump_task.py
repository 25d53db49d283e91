"""memoryrail-bot cursor bump-task: the next task of the session."""

from pathlib import Path

import click

from bot.cli.cursor import place
from bot.cli.family import now
from bot.formats.cursor import session


@click.command()
@place.path_option
def command(path: Path | None) -> None:
    """Begin the next task of the session, and print its correlation id. For the stop hook."""
    where = place.find(path)
    name = str(where.session_file)
    state = where.change_state(
        lambda old: session.bumped(session.begun(now()) if old is None else old, name)
    )
    click.echo(session.active(state, name))
