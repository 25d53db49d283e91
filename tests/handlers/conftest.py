"""A database, and a comment's turn on it."""

from collections.abc import Iterator
from typing import cast

import pytest

from bot.github.installation import Installation, RepositoryAccess
from bot.handlers.turn import Turn
from bot.store.commands import WaitingCommand, add
from bot.store.database import Database
from bot.store.pulls import PullKey, PullState
from tests.databases import Databases

KEY = PullKey(repository_id=7, number=12)


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    with databases.fresh("sqlite") as url:
        database = Database(url)
        yield database
        database.close()


@pytest.fixture
def turn(database: Database) -> Turn:
    """Of a comment of ada's that waits, with nobody to ask at GitHub."""
    waiting = WaitingCommand(
        comment="issuecomment-3", author_id=5, digest="d", written_ms=1_000, received_ms=2_000
    )
    database.transact_here(lambda connection: add(connection, KEY, waiting, now_ms=2_000))
    state = PullState(
        key=KEY,
        installation_id=5,
        repository="octo/shop",
        head_sha=None,
        busy=True,
        outcome=None,
        error=None,
        request_id=None,
        reruns=0,
        unsettled_ms=None,
    )
    access = RepositoryAccess(cast("Installation", None), "octo", "shop", 7)
    return Turn(access=access, state=state, waiting=waiting)
