"""jumpyBrain memory format (spec/jumpybrain.md)."""

from typing import Final

from bot.formats.jumpybrain.store import AGENT_FILES, directories, marks, read, reread, wanted

NAME: Final[str] = "jumpybrain"

__all__ = ["AGENT_FILES", "NAME", "directories", "marks", "read", "reread", "wanted"]
