"""How a job reaches GitHub: by the present name, with permission, not while a limit lasts, and
without writing once another process has begun it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from bot.github.errors import RateLimited
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.handlers import permissions
from bot.jobs.worker import RetryLater
from bot.store import claims
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.pulls import PullState

log = logging.getLogger(__name__)


def access_to(
    github: GitHubApp, database: Database, state: PullState, claim: Claim
) -> RepositoryAccess:
    """The repository of a job, under the name that was heard of last.

    What would be written under a claim that holds no more raises RetryLater.
    """

    async def check_claim() -> None:
        if not await database.transact(partial(claims.holds, claim=claim)):
            log.warning("%s: another process has begun this; nothing is written", claim.key)
            raise RetryLater(timedelta(0))

    owner, _, name = state.repository.partition("/")
    return RepositoryAccess(
        github.installation(state.installation_id),
        owner,
        name,
        state.key.repository_id,
        before_write=check_claim,
    )


async def lacking(access: RepositoryAccess) -> tuple[str, ...]:
    """The permissions that are needed and not granted, such as "contents: read".

    What an owner grants meanwhile takes a new token. Raises OutOfReach.
    """
    if not permissions.missing(await access.installation.permissions()):
        return ()
    return permissions.missing(await access.installation.permissions_now())


@contextmanager
def limits_pause_the_job() -> Iterator[None]:
    """Turn a limit into RetryLater."""
    try:
        yield
    except RateLimited as limited:
        raise RetryLater(limited.retry_after) from limited
