"""Which job a key stands for: a pull request's, or, with the number 0, the repository's own."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from bot.github.errors import Forbidden, OutOfReach, Renamed
from bot.github.installation import GitHubApp
from bot.handlers.pull import PullJobs
from bot.handlers.reaching import limits_pause_the_job
from bot.handlers.repository_jobs import RepositoryJobs
from bot.jobs.worker import RetryLater
from bot.store import pulls
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.pulls import Failure, PullKey

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """What the engine runs."""

    github: GitHubApp
    database: Database
    of_pulls: PullJobs
    of_repositories: RepositoryJobs

    async def bring_up_to_date(self, claim: Claim) -> None:
        """Do what the key's job is for. Raises RetryLater, GitHubError."""
        async with self._by_its_name(claim.key):
            await self._of(claim.key).bring_up_to_date(claim)

    async def give_up(self, claim: Claim, failure: Failure) -> None:
        """Say that it failed, unless the app is no longer let in: then nothing can be said.

        Raises RetryLater, GitHubError.
        """
        async with self._by_its_name(claim.key):
            try:
                await self._of(claim.key).give_up(claim, failure)
            except (OutOfReach, Forbidden) as error:
                log.warning("%s: nothing can be said there: %s", claim.key, error)

    def _of(self, key: PullKey) -> PullJobs | RepositoryJobs:
        return self.of_repositories if key.is_repository else self.of_pulls

    @asynccontextmanager
    async def _by_its_name(self, key: PullKey) -> AsyncIterator[None]:
        """Where the repository goes by another name now, learn it and have the job done anew."""
        try:
            yield
        except Renamed as error:
            log.info("%s: %s", key, error)
            if await self._learn_the_name(key):
                raise RetryLater(timedelta(0)) from error
            raise

    async def _learn_the_name(self, key: PullKey) -> bool:
        """Ask for the present name; whether it is another one than we knew."""
        state = await self.database.transact(partial(pulls.state, key=key))
        if state is None:
            return False
        with limits_pause_the_job():
            name = await self.github.installation(state.installation_id).name_of(key.repository_id)
        await self.database.transact(
            partial(
                pulls.relabel,
                repository_id=key.repository_id,
                repository=name,
                installation_id=state.installation_id,
            )
        )
        return name != state.repository
