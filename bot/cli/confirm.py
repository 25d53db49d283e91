"""memoryrail-bot confirm: memories that were looked at and still hold."""

import click

from bot.cli import moves
from bot.formats.memoryrail import lifecycle


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Say that memories still hold, so that they no longer count as maybe stale.

    Their `updated` becomes now. REF is a short ref (DEC-a3f9), an id or a file.

    \b
    Example:
      memoryrail-bot stale
      memoryrail-bot confirm DEC-a3f9
    """
    moves.move(
        refs,
        lambda tree, memory, now: lifecycle.confirm(tree, memory, now=now),
        to_do="confirm",
        only_show=dry_run,
    )
