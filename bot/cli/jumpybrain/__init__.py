"""memoryrail-bot jumpybrain: the documents of a jumpyBrain memory root, from a shell.

Exit codes: 0 done, 1 something is wrong, missing, refused or still to be done, 2 wrong usage or a
file that cannot be read or written.
"""

from collections.abc import Mapping
from typing import Any, Final

import click

from bot.cli.family import Family, say_error

COMMANDS: Final[Mapping[str, str]] = {
    "init": "Make a memory root.",
    "status": "Say whether the root can be read, and what it holds.",
    "remember": "Write a new document.",
    "wrapup": "Write what came of a session.",
    "show": "Show a document, and the token that an update of it needs.",
    "update": "Replace a document as a whole.",
    "process": "Stamp ids, make the page of a topic, or write a report.",
    "lint": "Check every rule of the format.",
}


class _Verbs(Family):
    """What the format refuses becomes a line and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        from bot.formats.jumpybrain.refused import Refused

        try:
            return super().invoke(ctx)
        except Refused as error:
            say_error(f"{error} ({error.rule})")
            ctx.exit(1)


@click.group(cls=_Verbs, package=__name__, verbs=COMMANDS)
def command() -> None:
    """Keep the documents of a jumpyBrain memory root: notes, findings, decisions and others.

    \b
    Examples:
      memoryrail-bot jumpybrain init
      memoryrail-bot jumpybrain remember --type finding --title "Retries lose their order" \\
        --tag queue --body "Two consumers take from one partition."
      memoryrail-bot jumpybrain lint

    The root is the nearest folder upwards with a jumpybrain.json, itself or in its memory/. A root
    of a newer schema is neither read nor written.

    Exit code: 0 done, 1 something is wrong, missing, refused or still to be done, 2 wrong usage or
    a file that cannot be read or written.
    """
