"""memoryrail-bot, the command line. Exit codes: 0 clean, 1 findings, 2 cannot be done as asked.

Each subcommand is the `command` of the module of its name, imported only when it is run, so that
--help is quick.
"""

import importlib
import io
import os
import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from bot.core.errors import BotError

_GROUPS: Final[Mapping[str, Mapping[str, str]]] = {  # heading -> module -> what --help says of it
    "The memories of a project": {
        "init": "Make a directory a project with memories.",
        "add": "Write a new memory.",
        "list": "List memories, the active ones unless asked otherwise.",
        "search": "Find memories by words.",
        "show": "Show a memory.",
        "approve": "Make proposals active.",
        "reject": "Delete proposals.",
        "supersede": "Let one memory take the place of another.",
        "archive": "Say that memories are wrong or no longer relevant.",
        "resolve": "Say that threads are done.",
        "confirm": "Say that memories still hold.",
        "relink": "Put a path in the place of another one in a memory's links.",
        "pin": "Let constraints apply to every change.",
        "unpin": "Let pinned memories apply only where their links and words do.",
    },
    "What they mean for a change, and their state": {
        "precheck": "Show what applies to a plan, to files or to a commit.",
        "check": "Review a range of commits of a local repository.",
        "lint": "Find faults in the memory files.",
        "sync": "Write the memories into the generated agent files.",
        "stale": "Find memories whose linked files changed or are gone.",
        "secrets": "Find credentials in files, in what is staged, in commits.",
        "doctor": "Find what is wrong with the set-up, and how to mend it.",
    },
    "Memories of other formats": {
        "cursor": "Keep the entries of .cursor/memory.",
        "jumpybrain": "Keep the documents of a jumpyBrain memory root.",
    },
    "The bot": {
        "serve": "Receive GitHub's events and keep pull requests up to date.",
        "worker": "Keep pull requests up to date, beside serve.",
        "jobs": "See what waits, runs or was given up; have it done again.",
        "deliveries": "See what GitHub sent, and ask for it again.",
        "audit": "See which commands people gave, and what came of each.",
        "ignored": "See what maintainers say is no secret, and take that back.",
        "register": "Print the link that registers the app on GitHub.",
        "demo": "Watch the bot at work on this machine.",
    },
}
COMMANDS: Final[Mapping[str, str]] = {
    name: does for group in _GROUPS.values() for name, does in group.items()
}


class Refusal(click.ClickException):
    """What was asked cannot be done; the text says why."""

    exit_code = 2


class LazyGroup(click.Group):
    """The commands of COMMANDS.

    What is raised on purpose, and what keeps a file from being opened, becomes one line and exit
    code 2.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names, in the order of --help."""
        return [*COMMANDS]  # `list` is a module here, once its command is imported

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"bot.cli.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101 - our own modules
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown name comes back with the one it is close to."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            if not (close := get_close_matches(args[0], self.list_commands(ctx), n=1)):
                raise
            hint = f"{error.message} Did you mean '{close[0]}'?"
            raise click.UsageError(hint, ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        width = max(map(len, COMMANDS))
        for heading, commands in _GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), does) for name, does in commands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            from bot.render.markdown import visible

            # It quotes what was given: a script may give a branch's name.
            raise click.UsageError(visible(error.format_message()), error.ctx) from error
        except BotError as error:
            from bot.render.markdown import visible

            raise Refusal(visible(str(error))) from error
        except OSError as error:
            if not isinstance(error.filename, str):  # of no file: a closed pipe, a socket
                raise
            from bot.render.markdown import visible

            raise Refusal(visible(f"{error.filename}: {error.strerror}")) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="memoryrail-bot", message="%(prog)s %(version)s")
@click.option(
    "-C",
    "directory",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Do as if started in DIR.",
)
@click.pass_context
def main(context: click.Context, directory: str | None) -> None:
    """Bring a repository's project memory to every pull request, and keep it from a shell.

    \b
    Examples:
      memoryrail-bot add decision "Use Drizzle over Prisma" --link src/db
      memoryrail-bot precheck --staged           what applies to the commit to be made
      memoryrail-bot check                       this branch against the default branch
      memoryrail-bot sync --check                are the generated agent files in step?
      memoryrail-bot stale                       which memories to look at again
    """
    if directory is not None:
        os.chdir(directory)
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        context.color = False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a log may lack characters that we write
            stream.reconfigure(errors="backslashreplace")
