"""Every test of REST runs at each version of the API."""

from collections.abc import Iterator

import pytest

from tests.sandbox.conftest import VERSIONS, Client, Shop, client, mint


@pytest.fixture(params=VERSIONS)
def http(shop: Shop, request: pytest.FixtureRequest) -> Iterator[Client]:
    """A client with a token of the installation."""
    with client(shop.github, mint(shop), version=request.param) as opened:
        yield opened
