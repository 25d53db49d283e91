"""A store from its files (spec/memoryrail.md, "Reading")."""

from collections.abc import Collection, Sequence

from bot.core.model import Memory, MemoryStore, Problem, TreeFile
from bot.formats.memoryrail.config import read_config
from bot.formats.memoryrail.layout import (
    AGENT_FILES,
    config_path,
    directory,
    is_memory_path,
    memories_path,
)
from bot.formats.memoryrail.lint import lint
from bot.formats.memoryrail.memory_file import read_memory
from bot.formats.memoryrail.unread import unread_problem


def marks(root: str) -> tuple[str, ...]:
    """The directory below which all files of a store at root lie."""
    return (directory(root),)


def directories(_root: str, _there: Collection[str]) -> tuple[str, ...]:
    """No others."""
    return ()


def wanted(root: str, path: str) -> bool:
    """Whether the file at path must be read for a store at root.

    So must one that stands where the directory of memories should be, to say so.
    """
    return path in {config_path(root), memories_path(root)} or is_memory_path(root, path)


def read(root: str, files: Sequence[TreeFile]) -> MemoryStore | None:
    """Read a store from its wanted files; None without a config.json. Never raises.

    Files that are not wanted are passed over. A version that is not known leaves the store without
    memories; any other fault of config.json leaves them readable.
    """
    own = sorted((file for file in files if wanted(root, file.path)), key=lambda file: file.path)
    at = {file.path: file for file in own}
    config_file = at.pop(config_path(root), None)
    if config_file is None:
        return None
    config = read_config(config_file)
    memories: list[Memory] = []
    problems: list[Problem] = [*config.problems]
    if in_the_way := at.pop(memories_path(root), None):
        problems.append(_no_directory(in_the_way))
    for file in at.values() if config.is_supported else ():
        memory, found = read_memory(file)
        problems += found
        if memory is not None:
            memories.append(memory)
    return MemoryStore(
        format="memoryrail",
        root=root,
        gated=config.gated,
        memories=tuple(sorted(memories, key=lambda memory: (memory.id, memory.path))),
        problems=tuple(sorted((*problems, *lint(memories)))),
        config=config_file.path,
        files=at,
        agent_files=tuple(f"{root}/{name}".lstrip("/") for name in AGENT_FILES),
    )


def _no_directory(file: TreeFile) -> Problem:
    """Why there are no memories, where a file stands in place of their directory."""
    unread = None if file.is_symlink else unread_problem(file)
    message = "This must be a directory, and no symbolic link to one, so no memory was read."
    return unread or Problem(path=file.path, rule="bad-layout", message=message)
