"""`installation`: the app was installed, removed, suspended, or given other permissions.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation
"""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.handlers import payload as read
from bot.handlers.meaning import Meaning
from bot.handlers.payload import Payload
from bot.store.work import InstallationNews, RepositoryNews, Work, WorkKind

# Each of its repositories is then made ready, and what is open there is brought up to date.
BEGINNING: Final = frozenset(["created", "new_permissions_accepted", "unsuspend"])
WELCOME: Final = (Work(kind=WorkKind.READY), Work(kind=WorkKind.WAKE))
MAX_REPOSITORIES: Final = 1000  # of one delivery; any other is met when something happens there


def meaning(payload: Payload) -> Meaning:
    """The repositories to begin with: those that it names, else those that we heard of."""
    installation_id = read.installation_id(payload)
    if read.action(payload) not in BEGINNING:
        return Meaning(installation_id=installation_id, ignored="nothing begins")
    if installation_id is None:
        return Meaning(ignored="it names no installation")
    named = read.items(payload, "repositories")
    if named is None:
        known = InstallationNews(installation_id=installation_id, work=WELCOME)
        return Meaning(installation_id=installation_id, news=(known,))
    return welcome(installation_id, named)


def welcome(installation_id: int, repositories: Sequence[object]) -> Meaning:
    """Begin with repositories, as payloads list them."""
    news = tuple(
        RepositoryNews(
            repository_id=id_, installation_id=installation_id, repository=name, work=WELCOME
        )
        for one in repositories[:MAX_REPOSITORIES]
        if isinstance(one, Mapping)
        and (id_ := read.number(one, "id")) is not None
        and (name := read.full_name(one)) is not None
    )
    return Meaning(
        installation_id=installation_id,
        repository_id=news[0].repository_id if len(news) == 1 else None,
        news=news,
        ignored=None if news else "it names no repository",
    )
