"""The memory on both sides of a pull request: stores and the generated files beside them."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.model import MemoryStore, TreeFile
from bot.core.report import Section, Unread
from bot.core.secrets import IGNORE_PATH
from bot.core.snapshot import Side
from bot.formats import FORMATS, Format
from bot.formats.discovery import further
from bot.formats.limits import MAX_FILE_BYTES
from bot.github.blobs import Blob, read_blobs
from bot.github.cache import Cache
from bot.github.installation import RepositoryAccess
from bot.github.trees import (
    MAX_DEEPER,
    MAX_FOLDERS,
    MAX_ROOTS,
    Entry,
    Listing,
    agent_paths,
    look_up,
    opened,
    store_paths,
    whole_tree,
)

MAX_SIDE_BYTES: Final = 64 << 20  # of the memory files of one side, each name counted by itself
MAX_SIDE_FILES: Final = 20_000
_TOO_MUCH: Final = (
    f"there are more than {MAX_SIDE_FILES:,} memory files, or {MAX_SIDE_BYTES >> 20} MiB of them"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Both sides, where stores were found on either, and what could not be read."""

    base: Side
    head: Side
    stores: tuple[str, ...]
    folders: tuple[str, ...]  # of stores, to ask for at once the next time
    unread: tuple[Unread, ...]


async def read_sides(
    access: RepositoryAccess,
    *,
    shas: tuple[str, str],
    known: tuple[Listing, Listing],
    known_roots: Sequence[str],
    known_stores: Sequence[str],
    roots: Sequence[str],
    known_folders: Collection[str] = (),
    unopened: Collection[str] = (),
) -> Sides:
    """Read the stores of base and head (shas, in this order) at the given roots.

    known: what is listed already, which covers the stores at known_roots and the agent files at
    known_stores, and known_folders but for the directories in them that are unopened.
    """
    base, head = known
    complete = True
    if len(unopened) > MAX_DEEPER:  # then look_up says that it is too much
        known_folders, unopened = (), ()
    early = (*_further(known_roots, known, but=known_folders), *unopened)
    new = [root for root in roots if root not in known_roots]
    is_whole = len(new) > MAX_ROOTS
    if is_whole:
        trees = await asyncio.gather(*(whole_tree(access, sha) for sha in shas))
        base, head = {**trees[0][0], **base}, {**trees[1][0], **head}
        complete = trees[0][1] and trees[1][1]
        known_stores = roots
    elif new:
        (base, head, complete), _ = await asyncio.gather(
            _more(access, shas, known, (*store_paths(new), *early)),
            _read_ahead(access, known, known_roots),
        )
    stores = tuple(root for root in roots if _stands_at(root, base) or _stands_at(root, head))
    beside = agent_paths(root for root in stores if root not in known_stores)
    done = early if new else ()
    deeper = () if is_whole else (*_further(stores, (base, head), but=known_folders), *unopened)
    if more := [path for path in (*beside, *deeper) if path not in done]:
        base, head, all_there = await _more(access, shas, (base, head), more)
        complete = complete and all_there
    listings = (_within_limits(base, stores), _within_limits(head, stores))
    blobs = await _contents(access, listings, stores)
    built = [
        await _side(access.installation.app.cache, sha, one, stores, blobs)
        for sha, one in zip(shas, listings, strict=True)
    ]
    unread = [] if complete else [*incomplete()]
    for one, section in zip(listings, (Section.APPLIES, Section.MEMORY), strict=True):
        unread += _lost(one, stores, blobs, section)
    return Sides(
        base=built[0],
        head=built[1],
        stores=stores,
        folders=_opened(stores, (base, head)),
        unread=tuple(unread),
    )


def incomplete() -> tuple[Unread, ...]:
    """What to say when GitHub did not list all that may belong to a store."""
    why = "GitHub gave only part of the answer"
    return tuple(
        Unread(section=section, what="the memory files", why=why)
        for section in (Section.APPLIES, Section.MEMORY, Section.SYNC)
    )


async def _more(
    access: RepositoryAccess,
    shas: tuple[str, str],
    known: tuple[Listing, Listing],
    paths: Sequence[str],
) -> tuple[Listing, Listing, bool]:
    (base, head), complete = await look_up(access, shas, paths)
    return {**known[0], **base}, {**known[1], **head}, complete


def _further(
    roots: Iterable[str], listings: tuple[Listing, Listing], *, but: Collection[str] = ()
) -> tuple[str, ...]:
    """Where the files of stores at some roots lie beyond their marks, on either side."""
    found = (
        path
        for root in roots
        for format_ in FORMATS
        for listing in listings
        for path in further(format_, root, listing)
        if path not in but
    )
    return tuple(dict.fromkeys(found))


def _opened(roots: Iterable[str], listings: tuple[Listing, Listing]) -> tuple[str, ...]:
    """The directories that were looked up for the files of stores beyond their marks.

    () for more than can be asked for at once.
    """
    folders = _further(roots, listings)
    if len(folders) > MAX_FOLDERS:
        return ()
    found = (path for folder in folders for listing in listings for path in opened(folder, listing))
    known = tuple(dict.fromkeys(found))
    return known if len(known) <= MAX_FOLDERS else folders


def _stands_at(root: str, listing: Listing) -> bool:
    return any(True for format_ in FORMATS for _ in _files_of(format_, root, listing))


def _wanted(listing: Listing, stores: Iterable[str]) -> Iterator[Entry]:
    """The files to read: those of the stores, the agent files beside them, and the marks."""
    for root in stores:
        for format_ in FORMATS:
            yield from _files_of(format_, root, listing)
        yield from (listing[path] for path in agent_paths([root]) if path in listing)
    if IGNORE_PATH in listing:
        yield listing[IGNORE_PATH]


def _files_of(format_: Format, root: str, listing: Listing) -> Iterator[Entry]:
    marks = format_.marks(root)
    places = (*marks, *further(format_, root, listing))
    folders = tuple(f"{folder}/" for folder in places)
    for path, entry in listing.items():
        if (path.startswith(folders) or path in marks) and format_.wanted(root, path):
            yield entry


async def _contents(
    access: RepositoryAccess, listings: tuple[Listing, Listing], roots: Sequence[str]
) -> dict[str, Blob]:
    sizes = {
        entry.oid: entry.size
        for listing in listings
        for entry in _wanted(listing, roots)
        if not entry.is_beyond
    }
    return await read_blobs(access, sizes, max_bytes=MAX_FILE_BYTES)


async def _read_ahead(
    access: RepositoryAccess, known: tuple[Listing, Listing], stores: Sequence[str]
) -> None:
    """Have the contents of known stores at hand when the others are found."""
    base, head = known
    await _contents(access, (_within_limits(base, stores), _within_limits(head, stores)), stores)


def _within_limits(listing: Listing, stores: Iterable[str]) -> Listing:
    """The listing, with what goes beyond a side's limits marked so, by path.

    One blob may stand there under thousands of names, and each of them is read and parsed.
    """
    left, kept, dropped = MAX_SIDE_BYTES, 0, set[str]()
    for entry in sorted(_wanted(listing, stores), key=lambda entry: entry.path):
        size = min(entry.size, MAX_FILE_BYTES)
        if kept == MAX_SIDE_FILES or size > left:
            dropped.add(entry.path)
        else:
            kept, left = kept + 1, left - size
    return {
        path: replace(entry, is_beyond=True) if path in dropped else entry
        for path, entry in listing.items()
    }


async def _side(
    cache: Cache,
    sha: str,
    listing: Listing,
    stores: Sequence[str],
    blobs: Mapping[str, Blob],
) -> Side:
    found = []
    for root in stores:
        for format_ in FORMATS:
            entries = sorted(_files_of(format_, root, listing), key=lambda entry: entry.path)
            if (
                entries
                and (store := await _store(cache, format_, root, entries, blobs)) is not None
            ):
                found.append(store)
    agent_files = tuple(
        _file(listing[path], blobs) for path in agent_paths(stores) if path in listing
    )
    return Side(
        sha=sha,
        stores=tuple(sorted(found, key=lambda store: store.root)),
        agent_files=tuple(sorted(agent_files, key=lambda file: file.path)),
        ignore_file=_file(listing[IGNORE_PATH], blobs) if IGNORE_PATH in listing else None,
    )


async def _store(
    cache: Cache,
    format_: Format,
    root: str,
    entries: Sequence[Entry],
    blobs: Mapping[str, Blob],
) -> MemoryStore | None:
    """Read a store; the same files are parsed once, whatever commit has them."""
    files = [_file(entry, blobs) for entry in entries]
    complete = not any(entry.oid in blobs and blobs[entry.oid].is_lost for entry in entries)
    key = (format_.NAME, root, tuple(entries))
    if complete and (known := cache.stores.get(key)) is not None:
        return known
    store = await asyncio.to_thread(format_.read, root, files)  # it may take seconds
    if complete and store is not None:
        cache.stores.put(key, store, sum(2 * len(file.data or b"") + 1000 for file in files))
    return store


def _file(entry: Entry, blobs: Mapping[str, Blob]) -> TreeFile:
    blob = Blob(unread=_TOO_MUCH) if entry.is_beyond else blobs[entry.oid]
    return TreeFile(
        path=entry.path,
        oid=entry.oid,
        data=blob.data,
        is_symlink=entry.is_symlink,
        unread=blob.unread,
    )


def _lost(
    listing: Listing, stores: Iterable[str], blobs: Mapping[str, Blob], section: Section
) -> Iterator[Unread]:
    """Files that GitHub did not give. A file that is too large or binary is its author's fault."""
    wanted = list(_wanted(listing, stores))
    if any(entry.is_beyond for entry in wanted):
        yield Unread(section=section, what="some memory files", why=_TOO_MUCH)
    for entry in wanted:
        blob = blobs.get(entry.oid)
        if blob is not None and blob.is_lost:
            yield Unread(section=section, what=entry.path, why=blob.unread or "no reason is known")
