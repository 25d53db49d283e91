"""What one commit's tree says about memory: its stores and generated agent files."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.core.model import MemoryStore, TreeFile
from bot.core.secrets import IGNORE_PATH
from bot.core.snapshot import Side
from bot.formats import FORMATS, Format
from bot.formats.discovery import further
from bot.formats.limits import MAX_FILE_BYTES
from bot.git.repository import LocalRepository, TreeEntry

MAX_SIDE_BYTES: Final = 64 << 20  # of the memory files of one side, each name counted by itself
MAX_SIDE_FILES: Final = 20_000
_SYMLINK: Final = "120000"


def sides(
    repository: LocalRepository, base: str, head: str, candidates: Sequence[str]
) -> tuple[Side, Side]:
    """Read both sides. Agent files are read beside every store that either side has."""
    stores = {sha: stores_at(repository, sha, candidates) for sha in (base, head)}
    beside = sorted(
        {
            f"{store.root}/{name}".lstrip("/")
            for found in stores.values()
            for store in found
            for format_ in FORMATS
            if store.format == format_.NAME
            for name in format_.AGENT_FILES
        }
    )
    sides = [
        Side(
            sha=sha,
            stores=stores[sha],
            agent_files=_read(repository, repository.entries(sha, beside)) if beside else (),
            ignore_file=read_file(repository, sha, IGNORE_PATH),
        )
        for sha in (base, head)
    ]
    return sides[0], sides[1]


def read_file(repository: LocalRepository, tree: str, path: str) -> TreeFile | None:
    """One small file; None where there is none."""
    files = _read(repository, repository.entries(tree, (path,)))
    return next((file for file in files if file.path == path), None)


def stores_at(
    repository: LocalRepository, tree: str, candidates: Iterable[str]
) -> tuple[MemoryStore, ...]:
    """The stores that a commit has at some directories, by root."""
    marks: dict[str, list[tuple[str, Format]]] = {}  # path -> what it may be a mark of
    for root in candidates:
        for format_ in FORMATS:
            for mark in format_.marks(root):
                marks.setdefault(mark, []).append((root, format_))
    found = _wanted(repository, tree, marks)
    more: dict[str, list[tuple[str, Format]]] = {}
    for (root, _), (format_, entries) in found.items():
        for directory in further(format_, root, [entry.path for entry in entries]):
            more.setdefault(directory, []).append((root, format_))
    for key, (_, entries) in _wanted(repository, tree, more).items():
        found[key][1].extend(entries)
    left, room = MAX_SIDE_BYTES, MAX_SIDE_FILES
    stores = []
    for (root, _), (format_, entries) in sorted(found.items(), key=lambda item: item[0]):
        files = _read(repository, entries, max_bytes=left, max_files=room)
        left -= sum(len(file.data or b"") for file in files)
        room -= sum(file.data is not None for file in files)
        if store := format_.read(root, files):
            stores.append(store)
    return tuple(stores)


def _wanted(
    repository: LocalRepository, tree: str, owners: Mapping[str, Sequence[tuple[str, Format]]]
) -> dict[tuple[str, str], tuple[Format, list[TreeEntry]]]:
    """The files at and below some paths that the stores there want; by root and format."""
    found: dict[tuple[str, str], tuple[Format, list[TreeEntry]]] = {}
    for entry in repository.entries(tree, sorted(owners)):
        for path in (*_above(entry.path), entry.path):
            for root, format_ in owners.get(path, ()):
                if format_.wanted(root, entry.path):
                    found.setdefault((root, format_.NAME), (format_, []))[1].append(entry)
    return found


def _above(path: str) -> list[str]:
    """Directories that contain a path, the root ("") included."""
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(len(parts))]


def _read(
    repository: LocalRepository,
    entries: Iterable[TreeEntry],
    *,
    max_bytes: int = MAX_SIDE_BYTES,
    max_files: int = MAX_SIDE_FILES,
) -> tuple[TreeFile, ...]:
    entries = sorted(entries, key=lambda entry: entry.path)
    reasons: dict[str, str] = {}  # path -> why it is not read
    for entry in entries:
        if entry.size > MAX_FILE_BYTES:
            reasons[entry.path] = f"it is larger than {MAX_FILE_BYTES >> 20} MiB"
        elif entry.size > max_bytes:
            reasons[entry.path] = f"the memories are larger than {MAX_SIDE_BYTES >> 20} MiB"
        elif max_files <= 0:
            reasons[entry.path] = f"there are more than {MAX_SIDE_FILES:,} memory files"
        else:
            max_bytes -= entry.size
            max_files -= 1
    oids = sorted({entry.oid for entry in entries if entry.path not in reasons})
    blobs = {oid: data for oid, _, data in repository.openings(oids, MAX_FILE_BYTES)}
    return tuple(
        TreeFile(path=entry.path, oid=entry.oid, unread=reasons[entry.path])
        if entry.path in reasons
        else TreeFile(
            path=entry.path,
            oid=entry.oid,
            data=blobs.get(entry.oid),
            is_symlink=entry.mode == _SYMLINK,
            unread=None if entry.oid in blobs else "its content is not in this clone",
        )
        for entry in entries
    )
