"""Where stores may stand in a tree, the same for whoever reads it: GitHub or a local repository."""

from collections.abc import Collection, Iterable
from typing import Final

from bot.core.snapshot import ChangedFile
from bot.formats import Format, cursor, memoryrail
from bot.formats.jumpybrain.layout import governed, may_be_of_a_root

_MAX_PATH: Final = 1_000  # characters of a path to a store
# What only a store uses. The folders of the others have common names: memory, notes, pages.
_FOLDERS: Final = tuple(f"/{mark}/" for one in (memoryrail, cursor) for mark in one.marks(""))


def candidate_roots(changed: Iterable[ChangedFile], named: Iterable[str]) -> tuple[str, ...]:
    """The directories to look at, sorted: the root, those named in settings, all above a change.

    Not inside a store, where what changes is the store's own. What git would not take as a
    directory of a tree (`..`, a NUL) is passed over.
    """
    above = {""}
    for file in changed:
        for path in (file.path, file.previous_path or ""):
            parent = path.rpartition("/")[0]
            while parent not in above:
                above.add(parent)
                parent = parent.rpartition("/")[0]
    for store in named:
        above |= {store.strip("/"), governed(store.strip("/"))}
    return tuple(sorted(filter(_is_directory, above)))


def further(format_: Format, root: str, there: Collection[str]) -> tuple[str, ...]:
    """Where to look for more of a store, given all files that are known to be there."""
    return format_.directories(root, [mark for mark in format_.marks(root) if mark in there])


def is_inside_a_store(path: str) -> bool:
    """Whether a path is, or lies below, a directory that nothing but a store has."""
    return any(folder in f"/{path}/" for folder in _FOLDERS)


def may_be_memory(path: str) -> bool:
    """Whether a file may belong to a store, wherever that stands."""
    return is_inside_a_store(path) or may_be_of_a_root(path)


def _is_directory(path: str) -> bool:
    if len(path) > _MAX_PATH or "\0" in path or is_inside_a_store(path):
        return False
    return not path or not any(part in {"", ".", ".."} for part in path.split("/"))
