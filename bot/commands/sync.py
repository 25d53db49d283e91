"""`sync`: the generated blocks at the head are brought into step with its memories."""

from bot.commands.answers import left_alone
from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome, Planned, Refused
from bot.core.edit_plan import joined
from bot.formats.memoryrail.store_tree import blocks


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments."""
    if command.words:
        raise WrongArguments("This takes no argument.")
    made = joined(blocks(tree, unapproved=context.unapproved) for tree in context.trees)
    if made.edits:
        return Planned(plan=made)
    if made.notes:
        return Refused(text=left_alone(made.notes))
    return Answer(text="Nothing had to be changed: no generated block at the head is out of step.")
