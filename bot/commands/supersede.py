"""`supersede OLD with NEW`: one memory takes the place of another; both are there already."""

from bot.commands.context import Context, OtherFormat, WrongArguments
from bot.commands.grammar import Command
from bot.commands.moving import must_be_sound
from bot.commands.outcome import Outcome, Planned
from bot.core.errors import UserError
from bot.formats import memoryrail
from bot.formats.memoryrail import lifecycle


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. A proposal only notes what it is to replace. Raises WrongArguments, UserError."""
    if len(command.refs) != 3 or command.refs[1].lower() != "with":
        raise WrongArguments("This needs the memory that is replaced and the one that replaces it.")
    named = context.find((command.refs[0], command.refs[2]))
    if len(named) == 1:
        raise UserError(f"{named[0].ref} ({named[0].title}) cannot replace itself.")
    (tree, old), (new_tree, new) = (context.at(memory.place) for memory in named)
    for one, memory in ((tree, old), (new_tree, new)):
        if one.store.format != memoryrail.NAME:
            raise OtherFormat(memory, one.store, "supersede")
    if tree.store.key != new_tree.store.key:
        raise UserError(
            f"{old.path} and {new.path} lie in different stores, and a memory replaces one of its "
            "own store."
        )
    must_be_sound(context, new)
    return Planned(
        plan=lifecycle.supersede(
            tree,
            old,
            new,
            now=context.now,
            reason=command.reason,
            base=context.base_of(tree),
            unapproved=context.unapproved,
        )
    )
