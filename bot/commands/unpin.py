"""`unpin REF…`: pinned memories that apply only where their links and words do from now on."""

from functools import partial

from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.moving import moved
from bot.commands.outcome import Outcome
from bot.formats.memoryrail import upkeep


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, and Refusals when it cannot be done to one of the refs."""
    return moved(command, context, partial(upkeep.pin, pinned=False))
