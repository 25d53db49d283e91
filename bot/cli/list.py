"""memoryrail-bot list: the memories of a project."""

import click

from bot.cli import chosen, moves


@click.command()
@chosen.options
def command(
    *,
    types: tuple[str, ...],
    statuses: tuple[str, ...],
    tags: tuple[str, ...],
    path: str | None,
    as_json: bool,
) -> None:
    """List memories, the active ones unless asked otherwise. A star marks pinned ones.

    \b
    Examples:
      memoryrail-bot list
      memoryrail-bot list --status proposed
      memoryrail-bot list --type constraint --path src/db
      memoryrail-bot list --status all --json
    """
    found = chosen.chosen(moves.to_read(), types=types, statuses=statuses, tags=tags, path=path)
    if not found and not as_json:
        click.echo("No memories.")
        return
    chosen.say(found, as_json=as_json)
