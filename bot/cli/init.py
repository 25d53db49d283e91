"""memoryrail-bot init: a directory becomes a project with memories."""

import json
from pathlib import Path
from typing import Final

import click

from bot.cli import project as projects
from bot.cli import writing
from bot.core.errors import UserError
from bot.formats.memoryrail.layout import config_path

_NEXT: Final = """\
Next:
  memoryrail-bot add decision "Use Drizzle over Prisma" --link src/db
  memoryrail-bot sync     writes the memories where coding agents read them
  git add .memoryrail     memories are reviewed and committed like code"""


@click.command()
@click.option(
    "--review",
    type=click.Choice(["off", "agents"]),
    default="off",
    show_default=True,
    help="agents: what coding agents write waits until a person approves it.",
)
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
def command(review: str, path: Path) -> None:
    """Make PATH, by default this directory, a project with memories.

    The root of the repository is the usual place. A part of a large repository may have memories of
    its own, which then bind what lies below it.
    """
    root = path.resolve()
    name = config_path("")
    if writing.read(root, name) is not None:
        raise UserError(f'{root / name} is there already; "review" in it says "off" or "agents"')
    text = json.dumps({"version": 1, "review": review}, indent=2) + "\n"
    writing.write(root, {name: text.encode()})
    click.echo(f"wrote {root / name}")
    top = projects.top_of(root)
    if top != root:
        click.echo(f"Note: its memories bind what lies below {root}, not all of {top}.", err=True)
    click.echo(_NEXT)
