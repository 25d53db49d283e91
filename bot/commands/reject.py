"""`reject REF… [: reason]`: the files of proposals are deleted."""

from bot.commands.answers import no_ref
from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.outcome import Outcome, Planned, Refused
from bot.core.edit_plan import EditPlan
from bot.core.model import Memory
from bot.formats import jumpybrain, memoryrail
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.store_tree import StoreTree


def plan(command: Command, context: Context) -> Outcome:
    """Plan a rejection. Raises Refusals when one of the refs cannot be rejected."""
    if not command.refs:
        return Refused(text=no_ref(command.verb, context))

    def reject(on: Context, tree: StoreTree, memory: Memory) -> EditPlan:
        return lifecycle.reject(
            tree,
            memory,
            reason=command.reason,
            base=on.base_of(tree),
            unapproved=on.unapproved,
            approved=on.approved,
        )

    formats = (memoryrail.NAME, jumpybrain.NAME)
    return Planned(plan=context.plan_each(command.refs, reject, formats=formats))
