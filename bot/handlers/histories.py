"""Which words and directories say little in a repository: those of its closed pull requests.

Each is counted once, when its closing is heard of; those from before our time are asked for once,
when there is room in the installation's budget. Only counts are kept, under keyed hashes.
"""

import hashlib
import logging
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.core.errors import GitHubError
from bot.core.precheck import keys
from bot.core.snapshot import History, Snapshot
from bot.github.installation import RepositoryAccess
from bot.github.past_pulls import past_pulls
from bot.jobs.queue import now_ms
from bot.store import history as stored
from bot.store.database import Database
from bot.store.history import PastChange

log = logging.getLogger(__name__)

_SPARE: Final = 0.5  # of GraphQL's limit; with less left the past can wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Histories:
    """The earlier changes of any repository."""

    database: Database

    async def read(
        self, access: RepositoryAccess, repository_id: int, snapshot: Snapshot, *, secret: bytes
    ) -> History:
        """What precheck needs to know for a pull request; a closed one is counted.

        secret: under which keys are hashed. GitHub is asked once; that it fails costs nothing but
        the weight that a history gives.
        """
        if not snapshot.base.stores:
            return History()
        names = _named(_words(snapshot), _paths(snapshot), secret)
        if not snapshot.pull.is_open:
            change = PastChange(number=snapshot.pull.number, hashes=frozenset(names))
            await self._count(repository_id, [change])
            return History()
        known = partial(stored.counted, repository_id=repository_id, hashes=names.keys())
        found = await self.database.transact(known)
        if not found.is_seeded and await self._seed(access, repository_id, secret):
            found = await self.database.transact(known)
        counts = {names[one]: times for one, times in found.counts.items()}
        return History(changes=found.changes, counts=counts)

    async def _seed(self, access: RepositoryAccess, repository_id: int, secret: bytes) -> bool:
        """Count the pull requests from before our time; whether that was done now."""
        rate = access.installation.rates.get("graphql")
        if rate is not None and rate.remaining < _SPARE * rate.limit:
            return False
        may = partial(stored.may_seed, repository_id=repository_id, now_ms=now_ms())
        if not await self.database.transact(may):
            return False
        try:
            past = await past_pulls(access)
        except GitHubError as error:
            log.info("repository %d: its past is not told yet: %s", repository_id, error)
            return False
        changes = [
            PastChange(number=one.number, hashes=frozenset(_named(one.words, one.paths, secret)))
            for one in past
        ]
        await self._count(repository_id, changes, seeds=True)
        return True

    async def _count(
        self, repository_id: int, changes: list[PastChange], *, seeds: bool = False
    ) -> None:
        await self.database.transact(
            partial(stored.count, repository_id=repository_id, changes=changes, seeds=seeds)
        )


def _words(snapshot: Snapshot) -> str:
    return f"{snapshot.pull.title}\n{snapshot.pull.body}"


def _paths(snapshot: Snapshot) -> list[str]:
    return [path for file in snapshot.files for path in file.paths]


def _named(words: str, paths: Collection[str], secret: bytes) -> dict[int, str]:
    """What a change is counted under, by the hashes of it."""
    return {_hash(key, secret): key for key in keys(words, paths)}


def _hash(key: str, secret: bytes) -> int:
    data = key.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(data, key=secret, digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
