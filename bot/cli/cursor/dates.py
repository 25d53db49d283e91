"""Days and moments as the options of the verbs take them."""

import re
from typing import Final

import click

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?", re.ASCII)


def checked(_: click.Context, __: click.Parameter, value: str) -> str:
    """A day, or a moment in UTC, or "": the callback of an option. Raises BadParameter."""
    if value and _DATE.fullmatch(value) is None:
        raise click.BadParameter("write a day as 2026-04-22, a moment as 2026-04-22T19:30:56Z.")
    return value
