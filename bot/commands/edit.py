"""`edit REF`: a link that opens GitHub's editor on the file of a memory, on the head branch."""

from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome
from bot.core.errors import UserError
from bot.core.model import Memory, Status
from bot.render.markdown import code, line, url_path


def plan(command: Command, context: Context) -> Outcome:
    """Say where to edit. Raises WrongArguments, UserError."""
    if not command.refs:
        raise WrongArguments("This names no memory.")
    memories = context.find(command.refs)
    if not context.head_url:
        raise UserError("The repository of this branch is gone, so it cannot be edited there.")
    return Answer(text="\n\n".join(_link(memory, context) for memory in memories))


def _link(memory: Memory, context: Context) -> str:
    ref, path = url_path(context.head_ref), url_path(memory.path)
    address = f"{context.head_url}/edit/{ref}/{path}"
    said = (
        f"Edit **{memory.ref}** · {line(memory.title, 300)} on {code(context.head_ref)}: "
        f"[{code(memory.path)}]({address})."
    )
    store = context.at(memory.place)[0].store
    if memory.status is not Status.PROPOSED and not store.edited_in_place:
        said += " What is settled is not reworded: propose a memory that supersedes it."
    return said
