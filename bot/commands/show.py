"""`show REF…`: memories in full, as the head has them, or the base where the head lacks them."""

from collections.abc import Iterator
from typing import Final

from bot.commands.answers import fit
from bot.commands.context import Context, WrongArguments, found
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome
from bot.core.comment import MAX_REPLY
from bot.core.model import Memory
from bot.core.quoting import cut
from bot.core.refs import Refs
from bot.render.markdown import code, fenced, line, url_path, visible

_MAX_TEXT: Final = MAX_REPLY - 10_000  # characters, to leave some for a comment's other commands
_MAX_BODY: Final = 30_000  # characters of one
_MAX_LISTED: Final = 50  # tags, or links, of one


def plan(command: Command, context: Context) -> Outcome:
    """Show them. Raises WrongArguments, UserError."""
    if not command.refs:
        raise WrongArguments("This names no memory.")
    here = {memory.path for memory in context.memories}
    gone = [one for store in context.base for one in store.memories if one.path not in here]
    named = found(Refs([*context.memories, *gone]), command.refs)
    return Answer(text=fit([_memory(one, context, here) for one in named], _MAX_TEXT))


def _memory(memory: Memory, context: Context, here: set[str]) -> str:
    body = visible(memory.body.replace("\r\n", "\n")).strip("\n")
    rest = len(body) - _MAX_BODY
    parts = ["\n".join(_head(memory, context, memory.path in here))]
    if body.strip():
        parts.append(fenced(tuple(cut(body, _MAX_BODY).split("\n"))))
    if rest > 0:
        parts.append(f"{rest:,} more characters are in the file.")
    return "\n\n".join(parts)


def _head(memory: Memory, context: Context, is_here: bool) -> Iterator[str]:
    pinned = ", pinned" if memory.pinned else ""
    yield f"**{memory.ref}** · {line(memory.title, 300)}"
    yield ""
    yield f"- {memory.called}, {memory.status}{pinned}, {_place(memory, context, is_here)}"
    yield f"- created {code(memory.created, 40)}, updated {code(memory.updated, 40)}"
    for name, values in (("tags", memory.tags), ("links", memory.links)):
        if values:
            shown = [code(value) for value in values[:_MAX_LISTED]]
            shown += [f"{len(values) - _MAX_LISTED} more"] if values[_MAX_LISTED:] else []
            yield f"- {name} {', '.join(filter(None, shown))}"
    if memory.supersedes:
        yield f"- replaces {code(memory.supersedes)}"
    if memory.superseded_by:
        yield f"- replaced by {code(memory.superseded_by)}"


def _place(memory: Memory, context: Context, is_here: bool) -> str:
    """Its file, and where that stands."""
    path, report = code(memory.path), context.report
    if report and context.url:
        sha = report.head_sha if is_here else report.base_sha
        path = f"[{path}]({context.url}/blob/{sha}/{url_path(memory.path)})"
    return path if is_here else f"{path} on the base branch, not at this head"
