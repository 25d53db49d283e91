"""`approve REF…|all`: proposals become active, and what they supersede becomes superseded."""

from typing import Final

from bot.commands.answers import no_ref
from bot.commands.context import Context, Refusals, WrongArguments
from bot.commands.grammar import MAX_REFS, Command
from bot.commands.outcome import Outcome, Planned, Refused
from bot.core.edit_plan import EditPlan, joined
from bot.core.errors import MemoryFormatError, UserError
from bot.core.model import Memory, Status
from bot.formats import cursor, jumpybrain, memoryrail
from bot.formats.cursor.approve import approve as approve_entry
from bot.formats.jumpybrain.approve import approve as approve_document
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.conditions import is_settled
from bot.formats.memoryrail.store_tree import StoreTree

_ALL: Final = "all"


class OwnProposal(UserError):  # noqa: N818 - reads as what it is
    """Who wrote a memory does not approve it."""

    def __init__(self, memory: Memory, why: str) -> None:
        super().__init__(
            f"{memory.ref} ({memory.title}) is your own proposal: {why}. Another maintainer "
            "approves it. Settings may allow it: commands.approve.own-memory."
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


def names_all(command: Command) -> bool:
    """Whether a command approves whatever there is."""
    return command.verb == "approve" and _ALL in map(str.lower, command.refs)


def plan(command: Command, context: Context) -> Outcome:
    """Plan an approval. Raises Refusals when one of the refs cannot be approved."""
    if not command.refs:
        return Refused(text=no_ref(command.verb, context, among=context.changed))
    if names_all(command):
        if len(command.refs) > 1:
            raise WrongArguments("all stands alone: it is every proposal of this pull request.")
        return _all(context)
    formats = (memoryrail.NAME, cursor.NAME, jumpybrain.NAME)
    return Planned(plan=context.plan_each(command.refs, _approve, formats=formats))


def _all(context: Context) -> Outcome:
    """Approve each proposal of the pull request that can be; the others are said with the reason.

    One may wait for another one that it supersedes, so they are tried until none is left that can.
    """
    waiting = [
        memory.place
        for tree in context.trees
        for memory in tree.store.memories
        if memory.status is Status.PROPOSED and memory.path in context.changed
        if not is_settled(memory, context.base_of(tree))
    ]
    if not waiting:
        return Refused(text=no_ref("approve", context, among=context.changed))
    more = waiting[MAX_REFS:]
    left = dict.fromkeys(waiting[:MAX_REFS], "")  # place -> why it was not approved so far
    plans: list[EditPlan] = []
    on, known = context, -1
    while known != len(plans):
        known = len(plans)
        for place in tuple(left):
            try:
                plans.append(_approve(on, *on.at(place)))
            except (UserError, MemoryFormatError) as problem:
                left[place] = str(problem)
            else:
                del left[place]
                on = on.after(plans[-1])
    said = tuple(left.values()) + ((f"{len(more)} more wait: write it again.",) if more else ())
    if not plans:
        raise Refusals(tuple(UserError(why) for why in said))
    return Planned(plan=joined(plans), left=said, is_told=True)


def _approve(context: Context, tree: StoreTree, memory: Memory) -> EditPlan:
    if tree.store.format == cursor.NAME:
        by = context.sender.login if context.sender else "A maintainer"
        planned = approve_entry(tree, memory, now=context.now, by=by)
    elif tree.store.format == jumpybrain.NAME:
        planned = approve_document(tree, memory, now=context.now, unapproved=context.unapproved)
    else:
        planned = lifecycle.approve(
            tree,
            memory,
            now=context.now,
            base=context.base_of(tree),
            unapproved=context.unapproved,
        )
    if memory.path not in context.changed:
        raise NotChangedHere(memory)
    if (why := context.keeps_from_approving(memory)) is not None:
        raise OwnProposal(memory, why)
    return planned
