"""memoryrail-bot unpin: pinned memories that apply only where their links and words do."""

import click

from bot.cli import moves
from bot.formats.memoryrail import upkeep


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Let pinned memories apply only where their links and words do.

    REF is a short ref (CON-1f3a), an id or a file. Where the review gate is on, only a person does
    this.

    \b
    Example:
      memoryrail-bot unpin CON-1f3a
    """
    moves.move(
        refs,
        lambda tree, memory, now: upkeep.pin(tree, memory, pinned=False, now=now),
        to_do="unpin",
        only_show=dry_run,
    )
