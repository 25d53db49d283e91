"""Writing down what people can see of a pull request, since they decide on nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import sqlalchemy as sa

from bot.handlers.turn import now_ms
from bot.store import shown, shown_memories
from bot.store.database import Database
from bot.store.pulls import PullKey

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """Keeps heads, and what applies: see bot/store/shown_memories.py."""

    database: Database

    async def begin(self, key: PullKey, head_sha: str, applies: Mapping[str, str]) -> None:
        """From now on people may see what we say of a head, whether or not we hear of it."""
        now = now_ms()

        def write(connection: sa.Connection) -> None:
            shown.begin_to_show(connection, key, head_sha, now_ms=now)
            shown_memories.begin_to_show(connection, key, applies, now_ms=now)

        await self.database.transact(write)

    async def done(
        self, key: PullKey, head_sha: str, applies: Mapping[str, str] = _NOTHING
    ) -> None:
        """From now on people can see what we say of a head, and decide on it."""
        now = now_ms()

        def write(connection: sa.Connection) -> None:
            shown.show(connection, key, head_sha, now_ms=now)
            shown_memories.show(connection, key, applies, now_ms=now)

        await self.database.transact(write)
