"""`recheck`: the pull request is reviewed again; for when a verdict is missing or out of date."""

from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.outcome import Outcome, Recheck


def plan(command: Command, context: Context) -> Outcome:  # noqa: ARG001 - as every verb's
    """Ask for a new review."""
    return Recheck()
