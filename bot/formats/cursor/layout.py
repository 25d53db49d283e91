"""Where entries lie, and which kind each file holds (spec/cursor.md, "Files")."""

from typing import Final

FOLDER: Final = ".cursor/memory"
SESSION: Final = "../hooks/.state/session.json"  # from there; the hooks write it
KIND_OF: Final = {"decisions": "decision", "patterns": "pattern", "session-handoff": "state"}

_SUFFIX: Final = ".md"
_SHARED: Final = ".shared.md"


def directory(root: str) -> str:
    """The directory that holds the entries, from the repository's root."""
    return f"{root}/{FOLDER}" if root else FOLDER


def is_memory_path(root: str, path: str) -> bool:
    """Whether path names a file of entries: directly in the directory, by a name with a role."""
    folder, _, name = path.rpartition("/")
    return folder == directory(root) and kind_of(name) is not None


def kind_of(name: str) -> str | None:
    """The one kind that a file holds, by its name; None for a file that is none of entries.

    `decisions.md`, any `decisions.….md` and the older `decisions-archive-….md`; case counts.
    """
    if not name.endswith(_SUFFIX):
        return None
    stem = stem_of(name)
    archived = stem.partition("-archive-")
    return KIND_OF.get(stem) or (KIND_OF.get(archived[0]) if archived[2] else None)


def stem_of(name: str) -> str:
    """A file's name up to its first dot."""
    return name.partition(".")[0]


def is_shared(path: str) -> bool:
    """Whether a file is one that its team shares on purpose."""
    return path.endswith(_SHARED)
