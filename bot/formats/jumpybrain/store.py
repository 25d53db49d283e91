"""A store from its files: documents as memories (spec/jumpybrain.md, "Reading")."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.core.model import Memory, MemoryStore, MemoryType, Problem, Severity, Status, TreeFile
from bot.formats.jumpybrain import layout
from bot.formats.jumpybrain.document import USER_REVIEWED, Document, readable
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


def marks(root: str) -> tuple[str, ...]:
    """The files that make a store at root."""
    return tuple(within(folder, CONFIG) for folder in folders(root))


def directories(root: str, there: Collection[str]) -> tuple[str, ...]:
    """The buckets of the memory root that counts, given which of its marks are there."""
    found = _counts(root, there)
    return () if found is None else tuple(within(found, bucket) for bucket in layout.TYPE_OF)


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
    at = {file.path: file for file in files}
    folder = _counts(root, at)
    if folder is None:
        return None
    config = at[within(folder, CONFIG)]
    said = read_root(config)
    shadowed = [_shadowed(mark, config.path) for mark in marks(root) if mark in at]
    empty = MemoryStore(
        format="jumpybrain",
        root=root,
        problems=(*said.problems, *shadowed[1:]),
        config=config.path,
        edited_in_place=True,
    )
    if said.is_compatible:
        return reread(empty, files)
    own = [file for file in files if layout.is_document(folder, file.path)]
    return replace(empty, files=_by_path(own))


def folder_of(store: MemoryStore) -> str:
    """The memory root of a store, from the repository's root."""
    return store.config.rpartition("/")[0]


def incompatible(store: MemoryStore) -> Problem | None:
    """Why nothing is known of the documents of a root; None where it is compatible."""
    of_root = (one for one in store.problems if one.path == store.config)
    errors = (one for one in of_root if one.severity is Severity.ERROR)
    return next((one for one in errors if one.rule != "bad-index-root"), None)


def holds(store: MemoryStore, path: str) -> bool:
    """Whether the file at path is a document of a store, or would be."""
    return layout.is_document(folder_of(store), path)


def documents_of(store: MemoryStore) -> tuple[Document, ...]:
    """The documents of a store that can be read, by path."""
    return readable(store.files.values(), folder_of(store))[0]


def reread(store: MemoryStore, files: Iterable[TreeFile]) -> MemoryStore:
    """A store with other documents, beside the same jumpybrain.json."""
    folder = folder_of(store)
    own = _by_path(file for file in files if holds(store, file.path))
    documents, unread = readable(own.values(), folder)
    memories = [_memory(document, store.root) for document in documents]
    of_root = [one for one in store.problems if not holds(store, one.path)]
    return replace(
        store,
        memories=tuple(sorted(memories, key=lambda memory: (memory.id, memory.path))),
        problems=tuple(sorted((*of_root, *unread, *problems_of(documents)))),
        files=own,
    )


def _by_path(files: Iterable[TreeFile]) -> dict[str, TreeFile]:
    return {file.path: file for file in sorted(files, key=lambda one: one.path)}


def _counts(root: str, there: Collection[str]) -> str | None:
    """The memory root that counts: the first one that has its mark."""
    return next((one for one in folders(root) if within(one, CONFIG) in there), None)


def _memory(document: Document, root: str) -> Memory:
    parts = document.parts
    tags = parts.fields.get("tags")
    body = document.body
    is_reviewed = parts.text("confidence") == USER_REVIEWED and not document.waits
    return Memory(
        id=document.address,
        type=_TYPES[document.type],
        kind=document.type,
        title=document.shown_title,
        status=Status.PROPOSED if document.waits else Status.ACTIVE,
        created=parts.text("created_at"),
        updated=document.at,
        tags=tags.items if tags else (),
        links=_links(body, root),
        body=body,
        path=document.path,
        lines={name: found.line for name, found in parts.fields.items()},
        vouched="confidence" if is_reviewed else "",
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
