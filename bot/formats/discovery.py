"""Where stores may stand in a tree, the same for whoever reads it: GitHub or a local repository."""

from collections.abc import Iterable
from typing import Final

from bot.core.snapshot import ChangedFile
from bot.formats import FORMATS

_MAX_PATH: Final = 1_000  # characters of a path to a store
_FOLDERS: Final = tuple(f"/{folder}/" for format_ in FORMATS for folder in format_.directories(""))


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
    return tuple(sorted(filter(_is_directory, above | {store.strip("/") for store in named})))


def is_inside_a_store(path: str) -> bool:
    """Whether a path is, or lies below, a directory in which a store keeps its files."""
    return any(folder in f"/{path}/" for folder in _FOLDERS)


def _is_directory(path: str) -> bool:
    if len(path) > _MAX_PATH or "\0" in path or is_inside_a_store(path):
        return False
    return not path or not any(part in {"", ".", ".."} for part in path.split("/"))
