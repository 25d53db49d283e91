"""A visitor of the pages, without any token of the API."""

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.sandbox.conftest import NO_TLS, Shop

PULL = "/octo/shop/pull/1"


class Visitor(httpx.Client):
    def read(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def fill(self, path: str, **fields: str) -> httpx.Response:
        """Post a form as the page does, with its token."""
        found = re.search(r'name="token" value="([^"]+)"', self.read(PULL))
        assert found is not None
        return self.post(path, data={"token": found[1], **fields})


@pytest.fixture
def visitor(shop: Shop) -> Iterator[Visitor]:
    with Visitor(base_url=shop.github.url, trust_env=False, verify=NO_TLS) as opened:
        yield opened
