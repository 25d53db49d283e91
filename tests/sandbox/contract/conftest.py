"""The two contracts, loaded once: they only judge and are never written to."""

import pytest

from bot.sandbox.contract.graphql import GraphQLContract
from bot.sandbox.contract.rest import RestContract


@pytest.fixture(scope="session")
def rest() -> RestContract:
    return RestContract.load()


@pytest.fixture(scope="session")
def graphql() -> GraphQLContract:
    return GraphQLContract.load()
