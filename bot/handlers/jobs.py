"""Which job a key stands for: a pull request's, or, with the number 0, the repository's own."""

import logging
from dataclasses import dataclass

from bot.github.errors import OutOfReach
from bot.handlers.pull import PullJobs
from bot.handlers.repository_jobs import RepositoryJobs
from bot.store.pulls import Failure, PullKey

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """What the engine runs."""

    pulls: PullJobs
    repositories: RepositoryJobs

    async def bring_up_to_date(self, key: PullKey) -> None:
        """Do what the key's job is for. Raises RetryLater, GitHubError."""
        of = self.repositories if key.is_repository else self.pulls
        await of.bring_up_to_date(key)

    async def give_up(self, key: PullKey, failure: Failure) -> None:
        """Say that it failed, unless the app is no longer let in: then nothing can be said.

        Raises RetryLater, GitHubError.
        """
        of = self.repositories if key.is_repository else self.pulls
        try:
            await of.give_up(key, failure)
        except OutOfReach as error:
            log.info("%s: %s", key, error)
