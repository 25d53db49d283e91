"""A store from its files: documents as memories (spec/jumpybrain.md, "Reading")."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.core.model import Memory, MemoryStore, MemoryType, Problem, Severity, Status, TreeFile
from bot.formats.jumpybrain import layout
from bot.formats.jumpybrain.document import Document, readable
from bot.formats.jumpybrain.layout import CONFIG, folders, within
from bot.formats.jumpybrain.root import read_root
from bot.formats.jumpybrain.validate import problems_of
from bot.formats.mentions import paths_in

AGENT_FILES: Final = ()  # none shows documents

# What a document is to a change: a rule, a choice, or something to know. A session is not looked
# for, and of the words that have no member here each is a thing to know.
_TYPES: Final[Mapping[str, MemoryType]] = {
    "decision": MemoryType.DECISION,
    "preference": MemoryType.CONSTRAINT,
    "finding": MemoryType.GOTCHA,
    "note": MemoryType.GOTCHA,
    "page": MemoryType.GOTCHA,
    "session": MemoryType.SESSION,
}


def directories(root: str) -> tuple[str, ...]:
    """Directories below which all files of a store at root lie, and files that make it one."""
    below = within(root, layout.MEMORY)
    if folders(root) == (below,):
        return (below,)
    return (below, *(within(root, bucket) for bucket in layout.TYPE_OF), within(root, CONFIG))


def wanted(root: str, path: str) -> bool:
    """Whether the file at path must be read for a store at root."""
    return any(
        path == within(folder, CONFIG) or layout.is_document(folder, path)
        for folder in folders(root)
    )


def read(root: str, files: Sequence[TreeFile]) -> MemoryStore | None:
    """Read a store from its wanted files; None without a jumpybrain.json. Never raises.

    A root that is not compatible leaves the store without memories. Every document that can be read
    is a memory; its faults are problems. Of two memory roots the upper one counts.
    """
    configs = {file.path: file for file in files if file.path.rpartition("/")[2] == CONFIG}
    there = [folder for folder in folders(root) if within(folder, CONFIG) in configs]
    if not there:
        return None
    config = configs[within(there[0], CONFIG)]
    said = read_root(config)
    own = [file for file in files if layout.is_document(there[0], file.path)]
    documents, unread = readable(own, there[0]) if said.is_compatible else ((), ())
    problems = [*said.problems, *unread, *problems_of(documents)]
    problems += [_shadowed(within(one, CONFIG), config.path) for one in there[1:]]
    memories = [_memory(document, root) for document in documents]
    return MemoryStore(
        format="jumpybrain",
        root=root,
        memories=tuple(sorted(memories, key=lambda memory: (memory.id, memory.path))),
        problems=tuple(sorted(problems)),
        config=config.path,
        files={file.path: file for file in sorted(own, key=lambda one: one.path)},
    )


def _memory(document: Document, root: str) -> Memory:
    parts = document.parts
    tags = parts.fields.get("tags")
    body = document.body
    return Memory(
        id=document.address,
        type=_TYPES[document.type],
        title=document.shown_title,
        status=Status.PROPOSED if document.waits else Status.ACTIVE,
        created=parts.text("created_at"),
        updated=document.at,
        tags=tags.items if tags else (),
        links=_links(body, root),
        body=body,
        path=document.path,
        lines={name: found.line for name, found in parts.fields.items()},
    )


def _links(body: str, root: str) -> tuple[str, ...]:
    """What a body names as paths, from the store's root: people write them from either."""
    named = paths_in(body)
    if not root:
        return named
    return tuple(dict.fromkeys(path.removeprefix(f"{root}/") for path in named))


def _shadowed(path: str, by: str) -> Problem:
    return Problem(
        path=path,
        rule="shadowed-root",
        message=f"{by} comes first, so the documents beside this file are not read. Keep one.",
        severity=Severity.WARNING,
    )
