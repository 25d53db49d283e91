"""One connection pool and one TLS context for the whole process.

githubkit opens an httpx client for each request made outside its context manager, and closes it
with its transport afterwards. A transport that outlives these clients keeps the connections.
"""

import ssl
from typing import Final, Self
from urllib.request import getproxies, proxy_bypass

import httpx

TIMEOUT: Final = httpx.Timeout(20, connect=5)  # seconds; GitHub itself gives up after 10
_LIMITS: Final = httpx.Limits(max_connections=32, max_keepalive_connections=16, keepalive_expiry=60)


class SharedTransport(httpx.AsyncBaseTransport):
    """A transport that many short-lived clients use; only close() ends it."""

    def __init__(self, api_url: str) -> None:
        self.ssl_context = ssl.create_default_context()
        self._inner = httpx.AsyncHTTPTransport(
            verify=self.ssl_context, limits=_LIMITS, proxy=_proxy(httpx.URL(api_url))
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._inner.handle_async_request(request)

    async def __aenter__(self) -> Self:
        return self

    async def aclose(self) -> None:
        """Do nothing: the clients that call this are not the owner."""

    async def close(self) -> None:
        """Close the pool."""
        await self._inner.aclose()


def _proxy(url: httpx.URL) -> str | None:
    """The proxy that the environment names for a URL, as other programs read it."""
    return None if proxy_bypass(url.host) else getproxies().get(url.scheme)
