"""What stands at a path of a working tree, whichever way Unicode or symlinks spell it."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.core.unicode import composed
from bot.git.repository import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """What a path leads to."""

    is_there: bool
    is_outside: bool = False  # a symlink on the way leads out of the working tree
    # The paths whose commits tell of it, from the top: its own one; through a symlink, the symlink
    # itself and what it leads to. Spelled as `spelled` does.
    paths: tuple[str, ...] = ()


def spelled(path: bytes) -> str:
    """A path as links are compared: composed Unicode, bytes that are not UTF-8 as \\xNN."""
    return composed(shown(path))


class WorkingTree:
    """Looks paths up in directories, each of which is listed once; nothing is opened."""

    def __init__(self, top: Path) -> None:
        """top: absolute, without symlinks."""
        self._top = top
        self._entries = cache(_entries)

    def look(self, parts: tuple[str, ...]) -> Spot:
        """What stands at the path of these parts, which are spelled and hold no `..`.

        A symlink that leads to nothing inside is not there.
        """
        here, symlink = self._top, None
        for number, part in enumerate(parts, start=1):
            entry = self._entries(here).get(part)
            if entry is None:
                return Spot(is_there=False, paths=("/".join(parts),))
            here /= entry.name
            if entry.is_symlink():
                symlink = symlink or "/".join(parts[:number])
                here = Path(os.path.realpath(here))  # unlike Path.resolve, it survives circles
                if not here.is_relative_to(self._top):
                    return Spot(is_there=False, is_outside=True)
                if not os.path.lexists(here) or here.is_symlink():
                    return Spot(is_there=False, paths=("/".join(parts),))
        own = spelled(bytes(here.relative_to(self._top))) if here != self._top else ""
        return Spot(is_there=True, paths=(symlink, own) if symlink else (own,))


def _entries(directory: Path) -> dict[str, os.DirEntry[str]]:
    """What a directory holds, by the names as `spelled`; nothing for what is no directory."""
    try:
        with os.scandir(directory) as entries:
            return {spelled(os.fsencode(entry.name)): entry for entry in entries}
    except OSError:
        return {}
