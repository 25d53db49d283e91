"""What one reading of a pull request may hold: a change of any size must not fill the memory."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.core.patch import size_of
from bot.core.report import Section, Unread
from bot.core.snapshot import AddedBlock

MAX_ADDED: Final = 32 << 20  # characters, over all files and commits of a reading
MAX_FETCHED: Final = 3000  # contents that are asked for, as GitHub shows no patch of them
TOO_MUCH: Final = Unread(
    section=Section.SECRETS,
    what="some of the changes",
    why=f"all together they add more than {MAX_ADDED >> 20} MiB, "
    f"or GitHub shows no patch of more than {MAX_FETCHED:,} files",
)


@dataclass(slots=True, kw_only=True)
class Budget:
    """What is left for one reading, which goes through it file by file."""

    added: int = MAX_ADDED
    fetched: int = MAX_FETCHED
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # to hold the contents of few files

    def take(self, blocks: Iterable[AddedBlock]) -> bool:
        """Keep these lines; False when there is no room for them."""
        size = size_of(blocks)
        if size > self.added:
            return False
        self.added -= size
        return True

    def fetch(self, count: int) -> bool:
        """Ask for so many contents; False when no more are to be asked for."""
        self.fetched -= count
        return self.fetched >= 0
