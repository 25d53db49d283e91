"""Which memories a pull request makes doubtful (spec/memoryrail.md, "Staleness").

Only what the change itself shows: a link whose very file is removed or renamed is broken, a memory
whose very file is edited may no longer be true. A change below a linked directory says too little,
and what failed once, or was done once, stays true whatever is edited.
"""

from collections.abc import Iterator
from typing import Final

from bot.core.model import Memory, MemoryStore, MemoryType
from bot.core.report import Finding, Section, StaleKind, StaleMemory, Weight
from bot.core.snapshot import Snapshot

_ABOUT_THE_PRESENT: Final = frozenset(
    {MemoryType.CONSTRAINT, MemoryType.GOTCHA, MemoryType.DECISION, MemoryType.THREAD}
)


def stale_memories(snapshot: Snapshot) -> tuple[StaleMemory, ...]:
    """Broken links first, then memories to look at again, each by id and link."""
    found = [stale for store in snapshot.head.stores for stale in _of_store(store, snapshot)]
    return tuple(sorted(found, key=lambda s: (s.kind is not StaleKind.LINK_GONE, s.memory.id)))


def stale_findings(stale: tuple[StaleMemory, ...]) -> tuple[Finding, ...]:
    """One warning for each broken link, at the line of the memory that holds it."""
    return tuple(
        Finding(
            section=Section.STALENESS,
            weight=Weight.WARNING,
            rule=one.kind.value,
            message=(
                f"{one.memory.ref} ({one.memory.title}) links {one.link}, which this pull request "
                + (f"renames to {one.renamed_to}." if one.renamed_to else "removes.")
            ),
            path=one.memory.path,
            line=one.memory.lines.get("links", 1),
        )
        for one in stale
        if one.kind is StaleKind.LINK_GONE
    )


def _of_store(store: MemoryStore, snapshot: Snapshot) -> Iterator[StaleMemory]:
    gone: dict[str, str | None] = {}
    edited: set[str] = set()
    touched = {file.path for file in snapshot.files}
    for file in snapshot.files:
        for path in file.paths:
            if not store.governs(path):
                continue
            name = store.relative(path)
            if path == file.previous_path:
                gone[name] = store.relative(file.path) if store.governs(file.path) else None
            elif file.status == "removed":
                gone[name] = None
            elif file.status != "added":
                edited.add(name)
    for memory in store.active:
        yield from _of_memory(memory, gone, edited, is_touched=memory.path in touched)


def _of_memory(
    memory: Memory, gone: dict[str, str | None], edited: set[str], *, is_touched: bool
) -> Iterator[StaleMemory]:
    for link in memory.links:
        name = link.removeprefix("./").rstrip("/")
        if name in gone:
            yield StaleMemory(
                memory=memory, kind=StaleKind.LINK_GONE, link=link, renamed_to=gone[name]
            )
        elif name in edited and not is_touched and memory.type in _ABOUT_THE_PRESENT:
            yield StaleMemory(memory=memory, kind=StaleKind.FILES_CHANGED, link=link)
