"""Cursor memory schema, version 1 (spec/cursor.md)."""

from typing import Final

from bot.formats.cursor.store import AGENT_FILES, directories, marks, read, wanted

NAME: Final[str] = "cursor"

__all__ = ["AGENT_FILES", "NAME", "directories", "marks", "read", "wanted"]
