"""A database of each kind; most tests want a connection, whose transaction is undone at the end."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from bot.store.database import Database
from tests.databases import KINDS, Databases


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, databases: Databases) -> Iterator[str]:
    with databases.fresh(request.param) as url:
        yield url


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.close()


@pytest.fixture
def connection(database: Database) -> Iterator[sa.Connection]:
    with database.engine.connect() as connection, connection.begin() as transaction:
        yield connection
        transaction.rollback()
