"""`pin REF…`: constraints that apply to every change."""

from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.moving import moved
from bot.commands.outcome import Outcome
from bot.core.lifecycle import WEAKENED
from bot.formats.memoryrail import upkeep


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, and Refusals when it cannot be done to one of the refs."""
    return moved(command, context, upkeep.pin, sealing=WEAKENED - {"unpinned"})
