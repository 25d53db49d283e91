"""`approve REF…`: proposals become active, and what they supersede becomes superseded."""

from bot.commands.answers import no_ref
from bot.commands.context import Context
from bot.commands.grammar import Command
from bot.commands.outcome import Outcome, Planned, Refused
from bot.core.edit_plan import EditPlan
from bot.core.errors import UserError
from bot.core.model import Memory
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.lifecycle import StoreTree


class OwnProposal(UserError):  # noqa: N818 - reads as what it is
    """Who wrote a memory does not approve it."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(
            f"{memory.ref} ({memory.title}) is your own proposal. Another maintainer approves it."
        )
        self.memory = memory


def plan(command: Command, context: Context) -> Outcome:
    """Plan an approval. Raises Refusals when one of the refs cannot be approved."""
    if not command.refs:
        return Refused(text=no_ref(command.verb, context))
    return Planned(plan=context.plan_each(command.refs, _approve))


def _approve(context: Context, tree: StoreTree, memory: Memory) -> EditPlan:
    sender = context.sender
    if sender is not None and sender.id in context.authors.get(memory.path, frozenset()):
        raise OwnProposal(memory)
    return lifecycle.approve(
        tree,
        memory,
        now=context.now,
        base=context.base_of(tree),
        unapproved=context.unapproved,
    )
