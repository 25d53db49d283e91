"""Days and moments as the options of the verbs take them."""

import click

from bot.formats.cursor.validate import instant


def checked(_: click.Context, __: click.Parameter, value: str) -> str:
    """A day, or a moment in UTC, or "": the callback of an option. Raises BadParameter."""
    if value and instant(value if "T" in value else f"{value}T00:00:00Z") is None:
        raise click.BadParameter("write a day as 2026-04-22, a moment as 2026-04-22T19:30:56Z.")
    return value
