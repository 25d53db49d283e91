"""jumpyBrain memory format (spec/jumpybrain.md).

What a store is read from stands in store.py. Plans work on the files of a memory root by their
paths from it, bytes in and bytes out: ids.py, edit.py, writing.py, process.py; plans.py leads from
a store to these and back. What is not done as asked is a Refused, whose rule says why.
"""

from typing import Final

from bot.formats.jumpybrain.compare import compare
from bot.formats.jumpybrain.store import (
    AGENT_FILES,
    directories,
    holds,
    marks,
    read,
    reread,
    wanted,
)

NAME: Final[str] = "jumpybrain"

__all__ = [
    "AGENT_FILES",
    "NAME",
    "compare",
    "directories",
    "holds",
    "marks",
    "read",
    "reread",
    "wanted",
]
