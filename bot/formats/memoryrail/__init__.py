"""MemoryRail format, version 1 (spec/memoryrail.md)."""

from collections.abc import Sequence
from typing import Final

from bot.core.model import MemoryStore, TreeFile

NAME: Final[str] = "memoryrail"
AGENT_FILES: Final = ("AGENTS.md", "CLAUDE.md", ".cursor/rules/memoryrail.mdc")


def directories(root: str) -> tuple[str, ...]:
    """Directories below which all files of a store at root lie."""
    raise NotImplementedError


def wanted(root: str, path: str) -> bool:
    """Whether the file at path must be read for a store at root."""
    raise NotImplementedError


def read(root: str, files: Sequence[TreeFile]) -> MemoryStore | None:
    """Read a store from its wanted files; None where there is none. Never raises."""
    raise NotImplementedError
