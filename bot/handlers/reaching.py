"""How a job reaches GitHub: by the present name, with permission, and not while a limit lasts."""

from collections.abc import Iterator
from contextlib import contextmanager

from bot.github.errors import RateLimited
from bot.github.installation import GitHubApp, RepositoryAccess
from bot.handlers import permissions
from bot.jobs.worker import RetryLater
from bot.store.pulls import PullState


def access_to(github: GitHubApp, state: PullState) -> RepositoryAccess:
    """The repository of a job, under the name that was heard of last."""
    owner, _, name = state.repository.partition("/")
    installation = github.installation(state.installation_id)
    return installation.repository(owner, name, state.key.repository_id)


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
