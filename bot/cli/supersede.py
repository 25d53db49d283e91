"""memoryrail-bot supersede: one memory takes the place of another."""

import click

from bot.cli import moves
from bot.core.model import Status
from bot.formats.memoryrail import lifecycle


@click.command()
@click.argument("old", metavar="OLD", shell_complete=moves.known_refs)
@click.argument("new", metavar="NEW", shell_complete=moves.known_refs)
@moves.dry_run
def command(old: str, new: str, dry_run: bool) -> None:
    """Say on both sides that NEW replaces OLD. Both memories are there already.

    OLD and NEW are short refs (DEC-a3f9), ids or files. To replace a memory by one that is not
    written yet, use add --supersedes.

    \b
    Example:
      memoryrail-bot supersede DEC-74f0 DEC-a3f9
    """
    project = moves.to_write()
    older, newer = (moves.resolved_here(project, name) for name in (old, new))
    plan = lifecycle.supersede(project.tree, older, newer, now=moves.now())
    said = ""
    if newer.status is Status.PROPOSED:
        said = f"{newer.ref} is to replace {older.ref} when a person approves it"
    else:
        moves.only_people_decide(project, (older, newer), "supersede")
    moves.finish(project, plan, only_show=dry_run, said=said)
