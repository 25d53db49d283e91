"""memoryrail-bot cursor: the entries of .cursor/memory, from a shell and from hooks.

Exit codes: 0 done, 1 entries are invalid or nothing was found, 2 wrong usage or a refused write.
Each verb is the `command` of the module of its name, imported only when it is run.
"""

from collections.abc import Mapping
from typing import Any, Final

import click

from bot.cli.family import Family, say_error, tell

COMMANDS: Final[Mapping[str, str]] = {
    "append": "Append an entry to a file.",
    "show": "Show an entry.",
    "list": "List the entries of a file.",
    "latest": "Show the latest entries of a file.",
    "search": "Find entries.",
    "rotate": "Move old entries to an archive.",
    "reappend": "End the conflict of two branches that both appended.",
    "validate": "Check every rule of the format.",
    "migrate": "Bring entries to the current version of the format.",
    "current-id": "Print the correlation id of the task at work.",
    "bump-task": "Begin the next task, and print its correlation id.",
}


class _Verbs(Family):
    """Entries that break rules become lines and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        from bot.formats.cursor.append import InvalidEntries, Refused

        try:
            return super().invoke(ctx)
        except InvalidEntries as error:
            tell(error.problems)
            ctx.exit(1)
        except Refused as error:
            say_error(f"{error} ({error.rule})")
            ctx.exit(2)


@click.group(cls=_Verbs, package=__name__, verbs=COMMANDS)
def command() -> None:
    """Keep the entries of .cursor/memory: state, decisions and patterns.

    \b
    Examples:
      memoryrail-bot cursor append --file decisions --kind decision --status done \\
        --summary "Cache moved behind the gateway" --body-file why.md
      memoryrail-bot cursor latest --file session-handoff --kind state
      memoryrail-bot cursor validate

    Exit code: 0 done, 1 entries are invalid or nothing was found, 2 wrong usage or a refused write.
    """
