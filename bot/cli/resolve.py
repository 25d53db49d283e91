"""memoryrail-bot resolve: threads that are done."""

import click

from bot.cli import moves
from bot.formats.memoryrail import lifecycle


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Say that threads are done.

    REF is a short ref (THR-bcd6), an id or a file.

    \b
    Example:
      memoryrail-bot resolve THR-bcd6
    """
    moves.move(
        refs,
        lambda tree, memory, now: lifecycle.resolve(tree, memory, now=now),
        to_do="resolve",
        only_show=dry_run,
    )
