"""memoryrail-bot approve: proposals become active."""

import click

from bot.cli import moves
from bot.cli.author import must_be_a_person
from bot.formats.memoryrail import lifecycle


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Make proposals active, and what they supersede superseded.

    REF is a short ref (DEC-a3f9), an id or a file. Blocks that sync wrote follow. Only a person
    approves.

    \b
    Examples:
      memoryrail-bot list --status proposed
      memoryrail-bot approve DEC-a3f9 CON-1f3a
    """
    must_be_a_person("approve what agents propose")
    moves.move(
        refs,
        lambda tree, memory, now: lifecycle.approve(tree, memory, now=now),
        to_do="approve",
        only_show=dry_run,
    )
