"""The lines that a difference adds: from patches, and from contents where GitHub shows no patch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.core.patch import added_between, added_blocks, added_to_all, whole
from bot.core.report import Section, Unread
from bot.core.snapshot import AddedBlock, ChangedFile
from bot.github.blobs import MAX_BLOB_BYTES, MAX_TEXT_BYTES
from bot.github.budget import TOO_MUCH, Budget
from bot.github.installation import RepositoryAccess
from bot.github.listed import ListedFile, with_added
from bot.github.texts import Content, read_texts
from bot.github.trees import Entry, Listing, look_up

# Files whose contents are held at a time, and how many bytes those may have together.
_AT_ONCE: Final = 100
_AT_ONCE_BYTES: Final = 4 << 20

Changes = tuple[tuple[ChangedFile, ...], tuple[Unread, ...]]


async def with_lines(
    access: RepositoryAccess, listed: Sequence[ListedFile], *, before: str | None, budget: Budget
) -> Changes:
    """The files with the lines that each adds, by path, and what was not read.

    before: the commit that is compared with; None where every file is new.
    """
    found: dict[str, tuple[AddedBlock, ...]] = {}
    unread: list[Unread] = []
    for file in listed:
        if file.patch is not None:
            blocks = added_blocks(file.path, file.patch)
            _keep(file, blocks, found, unread, budget)
    bare = [file for file in listed if file.needs_contents]
    old_paths = [file.old_path for file in bare if file.status != "added"]
    older: Listing = {}
    if before is not None and old_paths:
        (older,), _ = await look_up(access, [before], old_paths)  # of what is missing, all counts
    more, unread_more = await _from_contents(access, bare, (older,), budget)
    return with_added(listed, found | more), tuple(dict.fromkeys((*unread, *unread_more)))


async def own_changes(
    access: RepositoryAccess,
    listed: Sequence[ListedFile],
    *,
    parents: Sequence[str],
    budget: Budget,
) -> Changes:
    """Of a merge: the files that are as in none of its parents, with the lines that none has.

    listed: the difference to one of the parents, which holds them all.
    """
    paths = [path for file in listed for path in {file.path, file.old_path}]
    versions, _ = await look_up(access, parents, paths)
    own = [
        file
        for file in listed
        if all(_oid(version, file.path) != _oid_after(file) for version in versions)
    ]
    there = [file for file in own if file.status != "removed" and not file.is_submodule]
    found, unread = await _from_contents(access, there, versions, budget)
    return with_added(own, found), tuple(dict.fromkeys(unread))


async def _from_contents(
    access: RepositoryAccess,
    files: Sequence[ListedFile],
    versions: Sequence[Listing],
    budget: Budget,
) -> tuple[dict[str, tuple[AddedBlock, ...]], list[Unread]]:
    """Compare contents, few at a time; those that an older version is the same as add nothing."""
    found: dict[str, tuple[AddedBlock, ...]] = {}
    unread: list[Unread] = []
    changed = [
        file for file in files if all(_oid(old, file.old_path) != file.oid for old in versions)
    ]
    for some in _rounds(changed, versions):
        if not budget.fetch(len(some)):
            unread.append(TOO_MUCH)
            break
        async with budget.turn:
            new = await read_texts(access, {file.oid: file.size for file in some})
            old = await read_texts(access, _sizes(some, versions))
            for file in some:
                content = new[file.oid]
                if content.unread:
                    unread.append(_unread(file, content.unread))
                    continue
                texts = [
                    old[entry.oid].text
                    for version in versions
                    if (entry := version.get(file.old_path)) is not None
                ]
                blocks = _added(file, content, texts)
                _keep(file, blocks, found, unread, budget)
    return found, unread


def _rounds(files: Iterable[ListedFile], versions: Sequence[Listing]) -> Iterator[list[ListedFile]]:
    """The files, as many at a time as may be held with their older versions."""
    some: list[ListedFile] = []
    total = 0
    for file in files:
        sizes = [file.size or MAX_TEXT_BYTES, *_sizes([file], versions).values()]
        size = sum(min(each, MAX_BLOB_BYTES) for each in sizes)  # what is larger is not read
        if some and (len(some) == _AT_ONCE or total + size > _AT_ONCE_BYTES):
            yield some
            some, total = [], 0
        some.append(file)
        total += size
    if some:
        yield some


def _sizes(files: Iterable[ListedFile], versions: Iterable[Listing]) -> Mapping[str, int]:
    entries: list[Entry] = [
        version[file.old_path] for version in versions for file in files if file.old_path in version
    ]
    return {entry.oid: entry.size for entry in entries}


def _added(file: ListedFile, content: Content, old: Sequence[str]) -> tuple[AddedBlock, ...]:
    if not old:
        return whole(file.path, content.text)
    if len(old) == 1:
        return added_between(file.path, old[0], content.text)
    return added_to_all(file.path, content.text, old)


def _keep(
    file: ListedFile,
    blocks: tuple[AddedBlock, ...],
    found: dict[str, tuple[AddedBlock, ...]],
    unread: list[Unread],
    budget: Budget,
) -> None:
    if budget.take(blocks):
        found[file.path] = blocks
    else:
        unread.append(TOO_MUCH)


def _unread(file: ListedFile, why: str) -> Unread:
    return Unread(section=Section.SECRETS, what=file.path, why=why)


def _oid(version: Listing, path: str) -> str | None:
    entry = version.get(path)
    return entry.oid if entry else None


def _oid_after(file: ListedFile) -> str | None:
    return None if file.status == "removed" else file.oid
