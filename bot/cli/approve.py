"""memoryrail-bot approve: proposals become active."""

from datetime import datetime

import click

from bot.cli import moves
from bot.cli.author import must_be_a_person
from bot.core.edit_plan import EditPlan
from bot.core.model import Memory
from bot.formats import jumpybrain, memoryrail
from bot.formats.jumpybrain.approve import approve as approve_document
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.store_tree import StoreTree


@click.command()
@moves.refs
@moves.dry_run
def command(refs: tuple[str, ...], dry_run: bool) -> None:
    """Make proposals active, and what they supersede superseded.

    REF is a short ref (DEC-a3f9), an id or a file. Blocks that sync wrote follow. A jumpyBrain
    document that an agent drafted counts as reviewed from then on. Only a person approves.

    \b
    Examples:
      memoryrail-bot list --status proposed
      memoryrail-bot approve DEC-a3f9 CON-1f3a
    """
    must_be_a_person("approve what agents propose")
    moves.move(
        refs,
        _approve,
        to_do="approve",
        only_show=dry_run,
        formats=(memoryrail, jumpybrain),
    )


def _approve(tree: StoreTree, memory: Memory, now: datetime) -> EditPlan:
    if tree.store.format == jumpybrain.NAME:
        return approve_document(tree, memory, now=now)
    return lifecycle.approve(tree, memory, now=now)
