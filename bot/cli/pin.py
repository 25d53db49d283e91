"""memoryrail-bot pin: constraints that apply to every change."""

import click

from bot.cli import moves
from bot.formats.memoryrail import upkeep


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Let constraints apply to every change, wherever their links lead.

    REF is a short ref (CON-1f3a), an id or a file. Where the review gate is on, only a person does
    this.

    \b
    Example:
      memoryrail-bot pin CON-1f3a
    """
    moves.move(
        refs,
        lambda tree, memory, now: upkeep.pin(tree, memory, now=now),
        to_do="pin",
        only_show=dry_run,
    )
