"""Which memories a pull request makes doubtful (spec/memoryrail.md, "Staleness").

Only what the change itself shows: a link to which nothing is left is broken, a memory whose very
file is edited may no longer be true. A change below a linked directory says too little, and what
failed once, or was done once, stays true whatever is edited.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.core.model import Memory, MemoryStore, MemoryType
from bot.core.precheck import covering, covers, parts_of
from bot.core.report import Finding, Section, StaleKind, StaleMemory, Weight
from bot.core.snapshot import ChangedFile, Snapshot
from bot.core.unicode import composed

_ABOUT_THE_PRESENT: Final = frozenset(
    {MemoryType.CONSTRAINT, MemoryType.GOTCHA, MemoryType.DECISION, MemoryType.THREAD}
)


def links_to_look_up(
    base: Iterable[MemoryStore], head: Sequence[MemoryStore], files: Sequence[ChangedFile]
) -> tuple[str, ...]:
    """What memories link and may not be there: paths from the repository's root.

    That is what active ones link and a change may have emptied, and what a change takes out of the
    links of a memory: a link to nothing may go.
    Whoever reads the head says which of them are gone: Snapshot.gone.
    """
    left = _left_behind(files)
    found = {
        path
        for store in head
        for memory in store.active
        for link in memory.links
        if (path := path_of(store.root, link)) and any(covers(path, old) for old in left)
    }
    return tuple(sorted(found | set(_taken_out(base, head, files))))


def stale_memories(snapshot: Snapshot) -> tuple[StaleMemory, ...]:
    """Broken links first, then memories to look at again, each by id and link."""
    files = {path: file for file in snapshot.files for path in file.paths}
    renamed = new_names(snapshot.gone, snapshot.files)
    found = [
        stale
        for store in snapshot.head.stores
        for memory in store.active
        for stale in _of_memory(memory, store, snapshot, files, renamed)
    ]
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


def new_names(paths: Collection[str], files: Iterable[ChangedFile]) -> dict[str, str]:
    """Where each path went, if all that stood at it or below went to one place.

    paths: without dots, in composed Unicode; the answers are so, too.
    """
    places: dict[str, set[str]] = {}
    for file in files:
        if file.status == "renamed" and file.previous_path:
            old, new = (composed(name) for name in (file.previous_path, file.path))
            for path in covering(old, paths):
                below = old[len(path) :]
                place = new.removesuffix(below) if new.endswith(below) else ""
                places.setdefault(path, set()).add(place)
    return {path: min(found) for path, found in places.items() if len(found) == 1 and min(found)}


def _of_memory(
    memory: Memory,
    store: MemoryStore,
    snapshot: Snapshot,
    files: Mapping[str, ChangedFile],
    renamed: Mapping[str, str],
) -> Iterator[StaleMemory]:
    for link in memory.links:
        path = path_of(store.root, link)
        if path is None:
            continue
        if path in snapshot.gone:
            new = renamed.get(path)
            renamed_to = store.relative(new) if new and store.governs(new) else new
            yield StaleMemory(
                memory=memory, kind=StaleKind.LINK_GONE, link=link, renamed_to=renamed_to
            )
        elif (
            path in files
            and files[path].status != "added"
            and memory.path not in files
            and memory.type in _ABOUT_THE_PRESENT
        ):
            yield StaleMemory(memory=memory, kind=StaleKind.FILES_CHANGED, link=link)


def path_of(root: str, link: str) -> str | None:
    """A link of the store at root as a path from the repository's; None where it leads outside."""
    parts = parts_of(link)
    return "/".join([*filter(None, [root]), *parts]) if parts else None


def _taken_out(
    base: Iterable[MemoryStore], head: Iterable[MemoryStore], files: Sequence[ChangedFile]
) -> Iterator[str]:
    """What changed memories linked on the base and link no more."""
    touched = {path for file in files for path in file.paths}
    now = {memory.place: memory.links for store in head for memory in store.memories}
    for store in base:
        for memory in store.memories:
            if memory.path in touched and memory.place in now:
                for link in memory.links:
                    path = path_of(store.root, link)
                    if path and not any(covers(kept, link) for kept in now[memory.place]):
                        yield path


def _left_behind(files: Sequence[ChangedFile]) -> tuple[str, ...]:
    """The paths at which this change leaves nothing."""
    return tuple(
        file.paths[-1] for file in files if file.status == "removed" or len(file.paths) > 1
    )
