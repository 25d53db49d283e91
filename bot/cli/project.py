"""A project's working tree: the store that stands in it, as it lies on disk.

No symlink is followed. Paths count from the project's root here, which is the root of its store.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.core.errors import UserError
from bot.core.model import Memory, MemoryStore, TreeFile
from bot.formats import FORMATS, Format, jumpybrain, memoryrail
from bot.formats.cursor.layout import FOLDER as ENTRIES
from bot.formats.discovery import further
from bot.formats.jumpybrain.layout import CONFIG as MARK
from bot.formats.jumpybrain.layout import MEMORY
from bot.formats.limits import MAX_FILE_BYTES
from bot.formats.memoryrail.store_tree import StoreTree
from bot.git.repository import shown
from bot.render import phrases

LACKS: Final = f"no .memoryrail/config.json, {ENTRIES} or {MARK}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A directory with a store, as it lies on disk, committed or not."""

    root: Path  # absolute, without symlinks
    top: Path  # of the repository that it lies in; the root itself where there is none
    format: Format
    tree: StoreTree  # the store with the files behind it and the agent files beside it
    others: tuple[MemoryStore, ...] = ()  # of other formats, which stand at the same root

    @property
    def store(self) -> MemoryStore:
        """The store alone."""
        return self.tree.store

    @property
    def stores(self) -> tuple[MemoryStore, ...]:
        """All stores at the root."""
        return (self.store, *self.others)

    @property
    def trees(self) -> tuple[StoreTree, ...]:
        """The stores with the files that they are read from, in the same order."""
        return (self.tree, *(StoreTree(store=other, files=other.files) for other in self.others))

    @property
    def files(self) -> dict[str, TreeFile]:
        """The files behind all stores, by path."""
        return {path: file for tree in self.trees for path, file in tree.files.items()}

    @property
    def where(self) -> str:
        """Where the stores stand, for people."""
        marks = [store.config or f"{ENTRIES}/" for store in self.stores]
        folders = {mark[: mark.rfind("/") + 1] or mark for mark in marks}
        return phrases.listed(sorted(folders))

    @property
    def memories(self) -> tuple[Memory, ...]:
        """What all of them hold, one store after the other."""
        return tuple(memory for store in self.stores for memory in store.memories)


class NoSuchStore(UserError):  # noqa: N818 - reads as what it is
    """The memories here are of other formats than the one that is asked for. there: they."""

    def __init__(self, there: Project) -> None:
        super().__init__(
            f"{there.root} has memories in {there.where} only, and none of MemoryRail: there is no "
            ".memoryrail/config.json. Make one with memoryrail-bot init."
        )
        self.there = there


def find(path: Path, formats: Sequence[Format] = FORMATS) -> Project:
    """The project that path lies in: the nearest one upwards, up to the root of the repository.

    formats: one of them has a store there, the first of which is the one that is worked on. Raises
    NoSuchStore where only other formats have, UserError where none has.
    """
    start = path.resolve()
    for root in (start, *start.parents):
        found = {
            format_: store
            for format_ in FORMATS
            if not _is_of_the_folder_above(root, format_)
            if (store := format_.read("", list(files(root, format_))))
        }
        if own := next((format_ for format_ in formats if format_ in found), None):
            return Project(
                root=root,
                top=top_of(root),
                format=own,
                tree=_tree(root, own, found[own]),
                others=tuple(store for format_, store in found.items() if format_ is not own),
            )
        if (root / ".git").exists():
            break
    links = [one for one in (start, *start.parents) if (one / ".memoryrail").is_symlink()]
    if links:
        raise UserError(f"{links[0] / '.memoryrail'} is a symbolic link, which is not followed.")
    if len(formats) < len(FORMATS):
        raise NoSuchStore(find(path))
    raise UserError(
        f"{start} is in no project with memories: there is {LACKS}. "
        "Make one with memoryrail-bot init."
    )


def _is_of_the_folder_above(root: Path, format_: Format) -> bool:
    """Whether a store that would stand at root is one of the folder above, by its name."""
    return format_ is jumpybrain and root.name == MEMORY and not (root / ".git").exists()


def own(path: Path) -> Project:
    """The nearest project with MemoryRail's memories, which the commands write.

    Raises NoSuchStore where those of other formats stand alone, UserError where there are none.
    """
    return find(path, (memoryrail,))


def located(root: Path, path: str) -> str:
    """A path that a person gave, from the working directory, as one from root; "." is root itself.

    Its symlinks are not followed: a link names what is in the repository. Raises UserError for a
    path outside of root.
    """
    absolute = Path(os.path.normpath(Path(os.path.realpath(Path.cwd()), path)))
    try:
        return _relative(root, absolute)
    except ValueError:
        raise UserError(f"{path} lies outside of {root}") from None


def stores(top: Path, roots: Iterable[str]) -> tuple[MemoryStore, ...]:
    """The stores that lie on disk at some directories, with paths from the top; by root.

    top: without symlinks. A directory that is reached through one is passed over.
    """
    found = []
    for root in roots:
        place = top / root
        if Path(os.path.realpath(place)) != place:
            continue
        for format_ in FORMATS:
            own = [
                replace(file, path=f"{root}/{file.path}".lstrip("/"))
                for file in files(place, format_)
            ]
            if store := format_.read(root, own):
                found.append(store)
    return tuple(found)


def files(root: Path, format_: Format) -> Iterator[TreeFile]:
    """The files on disk that a store at root would be read from, by paths from there.

    What cannot be read is among them, and says why. Raises UserError when the store's own directory
    cannot be listed.
    """
    there = []
    for mark in format_.marks(""):
        for found in at(root, mark, format_):
            there.append(found.path)
            yield found
    for directory in further(format_, "", there):
        yield from at(root, directory, format_)


def at(root: Path, place: str, format_: Format) -> Iterator[TreeFile]:
    """The wanted file at a path, or those below a directory. Raises UserError as files does."""
    top = root / place
    if Path(os.path.realpath(top.parent)) != Path(os.path.realpath(root)) / Path(place).parent:
        return  # there is a symlink on the way
    if top.is_dir() and not top.is_symlink():
        yield from _below(root, place, format_)
    elif not top.is_dir() and os.path.lexists(top) and format_.wanted("", place):
        yield _file(top, place)


def _below(root: Path, directory: str, format_: Format) -> Iterator[TreeFile]:
    unlisted: list[OSError] = []
    for folder, folders, names in os.walk(root / directory, onerror=unlisted.append):
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in (*names, *links):
            path = Path(folder, name)
            if not format_.wanted("", relative := _relative(root, path)):
                continue
            if path == root / relative:
                yield _file(path, relative)
            else:
                yield TreeFile(path=relative, oid="", unread="its name is not UTF-8")
    for error in unlisted:
        relative = _relative(root, Path(os.fsdecode(error.filename)))
        if relative == directory:
            raise UserError(f"{root / directory} cannot be read: {error.strerror}")
        if format_.wanted("", relative):
            yield TreeFile(path=relative, oid="", unread=error.strerror)


def file(root: Path, name: str) -> TreeFile | None:
    """One file as it lies on disk; None where there is none."""
    return _file(root / name, name) if os.path.lexists(root / name) else None


def _relative(root: Path, path: Path) -> str:
    return shown(os.fsencode(path.relative_to(root).as_posix()))


def _file(path: Path, relative: str) -> TreeFile:
    try:
        if path.is_symlink():
            target = os.fsencode(path.readlink())
            return TreeFile(path=relative, oid="", data=target, is_symlink=True)
        if not path.is_file():
            return TreeFile(path=relative, oid="", unread="it is not a file")
        if path.stat().st_size > MAX_FILE_BYTES:
            why = f"it is larger than {MAX_FILE_BYTES >> 20} MiB"
            return TreeFile(path=relative, oid="", unread=why)
        return TreeFile(path=relative, oid="", data=path.read_bytes())
    except OSError as error:
        return TreeFile(path=relative, oid="", unread=error.strerror or "it cannot be read")


def _tree(root: Path, format_: Format, store: MemoryStore) -> StoreTree:
    there = [file(root, name) for name in format_.AGENT_FILES]
    beside = {one.path: one for one in there if one is not None}
    return StoreTree(store=store, files={**store.files, **beside})


def top_of(root: Path) -> Path:
    """The top of the repository that a directory lies in; where there is none, the directory."""
    return next((one for one in (root, *root.parents) if (one / ".git").exists()), root)


def index() -> Path | None:
    """The index of the commit at hand: `git commit -a` gives its hooks another than the usual."""
    index = os.environ.get("GIT_INDEX_FILE")
    return Path(os.path.abspath(index)) if index else None  # noqa: PTH100 - no symlink is resolved
