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

COMMANDS: Final[Mapping[str, str]] = {  # module -> what --help says of it, in that order
    "serve": "Receive GitHub's events and keep pull requests up to date.",
    "demo": "Watch the bot at work on this machine.",
    "check": "Review a range of commits of a local repository.",
    "sync": "Write the memories into the generated agent files.",
    "register": "Print the link that registers the app on GitHub.",
}


class Refusal(click.ClickException):
    """What was asked cannot be done; the text says why."""

    exit_code = 2


class LazyGroup(click.Group):
    """The commands of COMMANDS. What is raised on purpose becomes one line and exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names, in the order of --help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"bot.cli.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101 - our own modules
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BotError as error:
            raise Refusal(str(error)) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="memoryrail-bot", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Bring a repository's project memory to every pull request.

    \b
    Examples:
      memoryrail-bot check                       this branch against the default branch
      memoryrail-bot check --base v1.2 ../other  any range of any repository
      memoryrail-bot sync --check                are the generated agent files in step?
    """
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        context.color = False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a log may lack characters that we write
            stream.reconfigure(errors="backslashreplace")
