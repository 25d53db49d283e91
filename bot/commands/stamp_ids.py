"""`stamp-ids`: jumpyBrain documents at the head get the ids that they lack, in one commit."""

from typing import Final

from bot.commands.answers import left_alone
from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome, Planned, Refused
from bot.core.edit_plan import EditPlan, joined
from bot.formats import jumpybrain
from bot.formats.jumpybrain.ids import minted
from bot.formats.jumpybrain.stamp import stamp

_MAX_FILES: Final = 100  # of one commit, as bot/github/commit.py makes them


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, UserError."""
    if command.words:
        raise WrongArguments("This takes no argument.")
    trees = [one for one in context.trees if one.store.format == jumpybrain.NAME]
    if not trees:
        return Refused(text="There are no documents here: this head has no `jumpybrain.json`.")
    plans: list[EditPlan] = []
    room, more = _MAX_FILES, 0
    for tree in trees:
        made, beyond = stamp(
            tree, now=context.now, new_id=lambda: minted(context.new_uuid()), limit=room
        )
        plans.append(made)
        room, more = room - len(made.edits), more + beyond
    whole = joined(plans)
    if whole.edits:
        left = (f"{more} more have none: write it again.",) if more else ()
        return Planned(plan=whole, left=left, is_told=True)
    if whole.notes:
        return Refused(text=left_alone(whole.notes))
    return Answer(text="Nothing had to be changed: every document at the head has an id.")
