"""The managed block of generated agent files (spec/memoryrail.md, "Generated agent files")."""

from bot.core.sync.block import is_ours, rendering
from bot.core.sync.markers import END, START, Block, MarkersError, find
from bot.core.sync.place import Standing, difference, place, standing
from bot.core.sync.pointer import points_to_agents

__all__ = [
    "END",
    "START",
    "Block",
    "MarkersError",
    "Standing",
    "difference",
    "find",
    "is_ours",
    "place",
    "points_to_agents",
    "rendering",
    "standing",
]
