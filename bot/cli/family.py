"""What families of verbs share (cursor, jumpybrain): the group, the clock and the errors."""

import importlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import click

from bot.core.model import Problem
from bot.render.markdown import visible


class Family(click.Group):
    """Verbs, each the `command` of the module of its name, imported only when it is run."""

    def __init__(self, *, package: str, verbs: Mapping[str, str], **more: Any) -> None:
        """package: of the modules. verbs: what --help says of each, in its order."""
        super().__init__(**more)
        self._package, self._verbs = package, verbs

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names, in the order of --help."""
        return [*self._verbs]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one verb; None for an unknown name."""
        if cmd_name not in self._verbs:
            return None
        command = importlib.import_module(f"{self._package}.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)  # noqa: S101 - our own modules
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the verbs without importing them."""
        width = max(map(len, self._verbs))
        with formatter.section("Commands"):
            formatter.write_dl([(name.ljust(width), does) for name, does in self._verbs.items()])


def now() -> datetime:
    """The moment that is written: the caller's, where a program gives one."""
    given = click.get_current_context().obj
    return given if isinstance(given, datetime) else datetime.now(UTC)


def tell(problems: Iterable[Problem]) -> None:
    """Print problems on standard error, a line for each."""
    for one in problems:
        say_error(f"{one.path}:{one.line}: {one.severity}: {one.message} ({one.rule})")


def say_error(text: str) -> None:
    """Print a line on standard error; nothing in it steers the terminal."""
    click.echo(" ".join(visible(text).split()), err=True)
