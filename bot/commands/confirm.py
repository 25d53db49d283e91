"""`confirm REF…`: memories that were looked at and still hold."""

from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.moving import moved
from bot.commands.outcome import Outcome
from bot.formats.memoryrail import lifecycle


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, and Refusals when it cannot be done to one of the refs."""
    return moved(command, context, lifecycle.confirm)
