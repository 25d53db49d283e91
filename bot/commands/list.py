"""`list [STATUS] [TYPE] [PATH]`: memories at the head, the active ones unless asked otherwise."""

import difflib
from collections.abc import Sequence
from typing import Final

from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Answer, Outcome
from bot.core.model import Memory, MemoryType, Status
from bot.core.precheck import covers
from bot.core.staleness import path_of
from bot.render.markdown import code, line
from bot.render.phrases import count

_MAX_LISTED: Final = 100
_ALL: Final = "all"  # statuses
_STATUSES: Final = {status.value: status for status in Status}
_TYPES: Final = {
    **{type_.value: type_ for type_ in MemoryType},
    **{f"{type_.value}s": type_ for type_ in MemoryType},
}


def plan(command: Command, context: Context) -> Outcome:
    """List them. Raises WrongArguments for a word that is most likely a misspelt filter."""
    statuses: set[Status] = set()
    types: set[MemoryType] = set()
    kinds: set[str] = set()
    paths: list[str] = []
    known = {memory.kind for memory in context.memories if memory.kind}
    for word in command.words:
        name = word.lower()
        if name == _ALL:
            statuses |= set(Status)
        elif name in _STATUSES:
            statuses.add(_STATUSES[name])
        elif name in _TYPES:
            types.add(_TYPES[name])
        elif (kind := name if name in known else name.removesuffix("s")) in known:
            kinds.add(kind)
        else:
            paths.append(_path(word))
    statuses = statuses or {Status.ACTIVE}
    found = [
        memory
        for tree in context.trees
        for memory in tree.store.memories
        if memory.status in statuses
        and (not (types or kinds) or memory.type in types or memory.kind in kinds)
        and all(_is_about(memory, tree.store.root, path) for path in paths)
    ]
    found.sort(key=lambda one: (not one.pinned, one.id, one.path))
    return Answer(
        text=_text(
            found, statuses, [*filter(types.__contains__, MemoryType), *sorted(kinds)], paths
        )
    )


def _path(word: str) -> str:
    near = difflib.get_close_matches(word.lower()[:40], [*_STATUSES, *_TYPES], n=1)
    if near and "/" not in word and "." not in word:
        raise WrongArguments(f"{word} is neither a status nor a type. Did you mean {near[0]}?")
    return word


def _is_about(memory: Memory, root: str, path: str) -> bool:
    """Whether a memory links a path, something above it or something below it."""
    links = (path_of(root, link) for link in memory.links)
    return any(covers(link, path) or covers(path, link) for link in links if link)


def _text(
    found: list[Memory], statuses: set[Status], types: Sequence[str], paths: list[str]
) -> str:
    filters = [
        "all"
        if len(statuses) == len(Status)
        else " or ".join(one for one in Status if one in statuses),
        " or ".join(types),
        *(f"about {code(path)}" for path in paths),
    ]
    number = count(len(found), "memory", "memories") if found else "no memory"
    top = f"At the head: {number} ({'; '.join(filter(None, filters))})."
    rows = [_row(memory) for memory in found[:_MAX_LISTED]]
    if found[_MAX_LISTED:]:
        rows.append(f"- {len(found) - _MAX_LISTED} more")
    return "\n".join([top, "", *rows] if rows else [top])


def _row(memory: Memory) -> str:
    pinned = ", pinned" if memory.pinned else ""
    return (
        f"- **{memory.ref}** · {memory.called}, {memory.status}{pinned} · {line(memory.title, 200)}"
    )
