"""memoryrail-bot archive: memories that are wrong or no longer relevant."""

import click

from bot.cli import moves
from bot.formats.memoryrail import lifecycle


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Say that memories are wrong or no longer relevant. Their files stay.

    REF is a short ref (DEC-a3f9), an id or a file. Where the review gate is on, only a person does
    this. When another memory takes the place of one, use
    supersede, or add --supersedes.

    \b
    Example:
      memoryrail-bot archive GOT-0c2e
    """
    moves.move(
        refs,
        lambda tree, memory, now: lifecycle.archive(tree, memory, now=now),
        to_do="archive",
        only_show=dry_run,
    )
