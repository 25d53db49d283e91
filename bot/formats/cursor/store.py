"""A store from its files: entries as memories, the newest first (spec/cursor.md, "Reading")."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from bot.core.model import Memory, MemoryStore, MemoryType, Status, TreeFile
from bot.formats.cursor import layout
from bot.formats.cursor.grammar import Entry, block
from bot.formats.cursor.validate import HUMAN, File, problems_of, readable
from bot.formats.mentions import paths_in

AGENT_FILES: Final = ()  # none shows entries

_TYPES: Final = {
    "decision": MemoryType.DECISION,
    "pattern": MemoryType.GOTCHA,
    "state": MemoryType.SESSION,
}


def marks(root: str) -> tuple[str, ...]:
    """The directory below which all files of a store at root lie."""
    return (layout.directory(root),)


def directories(_root: str, _there: Collection[str]) -> tuple[str, ...]:
    """No others."""
    return ()


def wanted(root: str, path: str) -> bool:
    """Whether the file at path must be read for a store at root."""
    return layout.is_memory_path(root, path)


def read(root: str, files: Sequence[TreeFile]) -> MemoryStore | None:
    """Read a store from its wanted files; None where there is none of them. Never raises.

    An entry is a memory when its id, kind and summary can be read; its other faults are problems.
    """
    own = {file.path: file for file in files if wanted(root, file.path)}
    if not own:
        return None
    read_, unread = readable(own.values())
    memories = [memory for file in read_ for memory in _memories(file)]
    return MemoryStore(
        format="cursor",
        root=root,
        memories=tuple(sorted(memories, key=_age, reverse=True)),
        problems=tuple(sorted((*unread, *problems_of(read_)))),
        files=dict(sorted(own.items())),
        only_appended=True,
        unshared=tuple(sorted(path for path in own if not layout.is_shared(path))),
    )


def _age(memory: Memory) -> tuple[str, str, int]:
    """The later, the newer: moments in UTC compare as texts, and within one the last counts."""
    return memory.created, memory.path, memory.lines["id"]


def _memories(file: File) -> Iterator[Memory]:
    for entry in file.blocks.entries:
        memory = _memory(file, entry)
        if memory is not None:
            yield memory


def _memory(file: File, entry: Entry) -> Memory | None:
    type_ = _TYPES.get(entry.text("kind"))
    title = " ".join(entry.text("summary").split())
    if type_ is None or not entry.id or not title:
        return None
    if type_ is MemoryType.DECISION and entry.text("status") == "rejected":
        type_ = MemoryType.ATTEMPT
    at = entry.text("at")
    scope = entry.fields.get("scope")
    named = (*(scope.items if scope else ()), *paths_in(entry.body))
    exact = block(file.text, entry)
    return Memory(
        id=entry.id,
        type=type_,
        title=title,
        status=Status.ACTIVE,
        created=at,
        updated=at,
        tags=entry.items("tags"),
        links=tuple(dict.fromkeys(named)),
        body=entry.body,
        path=file.path,
        lines={name: found.line for name, found in entry.fields.items()},
        vouched="author" if entry.text("author") == HUMAN else "",
        task=entry.text("correlation_id"),
        seal=hashlib.blake2b(exact.encode("utf-8", "replace"), digest_size=16).hexdigest(),
    )
