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

    def __init__(self, memory: Memory, why: str) -> None:
        super().__init__(
            f"{memory.ref} ({memory.title}) is your own proposal: {why}. Another maintainer "
            "approves it."
        )
        self.memory = memory


class NotChangedHere(UserError):  # noqa: N818 - reads as what it is
    """A pull request does not tell who wrote a memory that it leaves as it is."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(
            f"{memory.ref} ({memory.title}) is not changed by this pull request, so it does not "
            "tell who wrote it. Approve it in the pull request that brings it, or in one that "
            "changes its file."
        )
        self.memory = memory


def plan(command: Command, context: Context) -> Outcome:
    """Plan an approval. Raises Refusals when one of the refs cannot be approved."""
    if not command.refs:
        return Refused(text=no_ref(command.verb, context, among=context.changed))
    return Planned(plan=context.plan_each(command.refs, _approve))


def _approve(context: Context, tree: StoreTree, memory: Memory) -> EditPlan:
    planned = lifecycle.approve(
        tree,
        memory,
        now=context.now,
        base=context.base_of(tree),
        unapproved=context.unapproved,
    )
    if memory.path not in context.changed:
        raise NotChangedHere(memory)
    sender = context.sender.id if context.sender else None
    if sender is not None and (why := context.authors.of(memory.path).get(sender)):
        raise OwnProposal(memory, why)
    return planned
