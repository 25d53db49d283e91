"""memoryrail-bot reject: the files of proposals are deleted."""

import click

from bot.cli import moves
from bot.cli.author import must_be_a_person
from bot.formats import jumpybrain, memoryrail
from bot.formats.memoryrail import lifecycle


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Delete proposals. What they wanted to supersede stays as it is.

    REF is a short ref (DEC-a3f9), an id or a file. A jumpyBrain document that an agent drafted is a
    proposal, too. Only a person rejects.

    \b
    Example:
      memoryrail-bot reject DEC-a3f9
    """
    must_be_a_person("reject what agents propose")
    moves.move(
        refs,
        lambda tree, memory, _: lifecycle.reject(tree, memory),
        to_do="reject",
        only_show=dry_run,
        formats=(memoryrail, jumpybrain),
    )
