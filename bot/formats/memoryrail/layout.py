"""Where the files of a store lie (spec/memoryrail.md, "Layout")."""

from typing import Final

AGENT_FILES: Final = ("AGENTS.md", "CLAUDE.md", ".cursor/rules/memoryrail.mdc")

_SUFFIX: Final = ".md"


def directory(root: str) -> str:
    """The directory that makes root a store, from the repository's root."""
    return f"{root}/.memoryrail" if root else ".memoryrail"


def config_path(root: str) -> str:
    """Path of the store's config.json."""
    return f"{directory(root)}/config.json"


def memories_path(root: str) -> str:
    """Path of the directory of the store's memories."""
    return f"{directory(root)}/memories"


def is_memory_path(root: str, path: str) -> bool:
    """Whether path names a memory: an .md file directly in memories/, with a name before it."""
    folder = f"{memories_path(root)}/"
    if not path.startswith(folder) or not path.endswith(_SUFFIX):
        return False
    name = path[len(folder) :]
    return "/" not in name and name != _SUFFIX


def memory_path(root: str, id_: str) -> str:
    """Path of the file that holds the memory with an id."""
    return f"{memories_path(root)}/{id_}{_SUFFIX}"


def id_of(path: str) -> str:
    """The id that a memory file's name stands for."""
    return path.rpartition("/")[2].removesuffix(_SUFFIX)
