"""memoryrail-bot cursor rotate: old entries move to an archive beside their file."""

from pathlib import Path

import click

from bot.cli.cursor import dates, place
from bot.cli.family import now
from bot.formats.cursor.append import file_name
from bot.formats.cursor.rotate import rotate
from bot.render import phrases


@click.command()
@click.option("--file", required=True, metavar="FILE", help="session-handoff, decisions, …")
@click.option("--keep-last", type=click.IntRange(0), metavar="N", help="Entries that stay.")
@click.option(
    "--since", default="", metavar="DATE", callback=dates.checked, help="What stays: from then on."
)
@click.option("--dry-run", is_flag=True, help="Write nothing; say what would move.")
@click.option("--force", is_flag=True, help="Also where no entry would stay.")
@place.path_option
def command(
    *,
    file: str,
    keep_last: int | None,
    since: str,
    dry_run: bool,
    force: bool,
    path: Path | None,
) -> None:
    """Move entries to FILE.archive-<today>.md. They stay as they are, and their ids stay taken.

    Exit code: 0 done, 1 the file breaks a rule, 2 wrong usage or refused.
    """
    if (keep_last is None) == (not since):
        raise click.UsageError("Say what stays: either --keep-last or --since.")
    where, name, today = place.find(path), file_name(file), now().date()
    with where.locked():
        planned = rotate(
            name,
            where.contents(),
            today=today,
            keep_last=keep_last,
            since=since,
            force=force,
        )
        if not dry_run:
            where.write(planned.contents)
    moved = phrases.count(len(planned.moved), "entry", "entries")
    stay = "stays" if planned.kept == 1 else "stay"
    does = "would move" if dry_run else "moved"
    click.echo(f"{moved} {does} to {planned.archive}; {planned.kept} {stay} in {name}.")
