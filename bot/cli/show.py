"""memoryrail-bot show: a memory as it stands."""

import json

import click

from bot.cli import moves
from bot.render import memories


@click.command()
@moves.refs
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(refs: tuple[str, ...], as_json: bool) -> None:
    """Show memories of any status.

    REF is a short ref (DEC-a3f9, also as [per DEC-a3f9]), an id or a file.

    \b
    Example:
      memoryrail-bot show DEC-a3f9
    """
    project = moves.to_read()
    chosen = list(
        {one.place: one for one in (moves.resolved(project, ref) for ref in refs)}.values()
    )
    if as_json:
        click.echo(json.dumps([memories.document(one) for one in chosen], indent=2))
    else:
        click.echo("\n".join(map(memories.text, chosen)), nl=False)
