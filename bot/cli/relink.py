"""memoryrail-bot relink: a link that leads to nothing, or elsewhere, is mended."""

import os

import click

from bot.cli import moves
from bot.core.staleness import path_of
from bot.formats.memoryrail import upkeep


@click.command()
@click.argument("ref", metavar="REF", shell_complete=moves.known_refs)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@moves.dry_run
def command(ref: str, old: str, new: str, dry_run: bool) -> None:
    """Put a path in the place of another one in a memory's links.

    REF is a short ref (DEC-a3f9), an id or a file. OLD and NEW are paths from the directory that
    holds .memoryrail, whatever directory this runs in. Where the review gate is on, only a person
    does this.

    \b
    Example:
      memoryrail-bot stale
      memoryrail-bot relink DEC-a3f9 src/db src/store
    """
    project = moves.to_write()
    path = path_of("", new)
    is_missing = path is not None and not os.path.lexists(project.root / path)
    missing = {path} if path and is_missing else set()
    moves.move(
        (ref,),
        lambda tree, memory, now: upkeep.relink(
            tree, memory, old=old, new=new, now=now, missing=missing
        ),
        to_do="relink",
        only_show=dry_run,
    )
