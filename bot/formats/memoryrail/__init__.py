"""MemoryRail format, version 1 (spec/memoryrail.md)."""

from typing import Final

from bot.formats.memoryrail.layout import AGENT_FILES
from bot.formats.memoryrail.store import directories, marks, read, wanted

NAME: Final[str] = "memoryrail"

__all__ = ["AGENT_FILES", "NAME", "directories", "marks", "read", "wanted"]
