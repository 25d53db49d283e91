"""A store from its files (spec/memoryrail.md, "Reading")."""

from collections.abc import Sequence

from bot.core.model import Memory, MemoryStore, Problem, TreeFile
from bot.formats.memoryrail.config import read_config
from bot.formats.memoryrail.layout import AGENT_FILES, config_path, directory, is_memory_path
from bot.formats.memoryrail.lint import lint
from bot.formats.memoryrail.memory_file import read_memory


def directories(root: str) -> tuple[str, ...]:
    """Directories below which all files of a store at root lie."""
    return (directory(root),)


def wanted(root: str, path: str) -> bool:
    """Whether the file at path must be read for a store at root."""
    return path == config_path(root) or is_memory_path(root, path)


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
