"""One connection pool and one TLS context for the whole process.

githubkit opens an httpx client for each request made outside its context manager, and closes it
with its transport afterwards. A transport that outlives these clients keeps the connections.
"""

import functools
import ssl
from collections.abc import Callable
from typing import Final, Self
from urllib.request import getproxies, proxy_bypass

import httpx

from bot.github.routes import route_of

Observe = Callable[[str, int | None], None]
TIMEOUT: Final = httpx.Timeout(20, connect=5)  # seconds; GitHub itself gives up after 10
_LIMITS: Final = httpx.Limits(max_connections=32, max_keepalive_connections=16, keepalive_expiry=60)


class SharedTransport(httpx.AsyncBaseTransport):
    """A transport that many short-lived clients use; only close() ends it."""

    def __init__(self, api_url: str, *, observe: Observe | None = None) -> None:
        """observe: hears the route and the status of each request; None where no answer came."""
        self._observe, self._root = observe or _nobody, httpx.URL(api_url).path.rstrip("/")
        self.ssl_context = _tls()
        self._inner = httpx.AsyncHTTPTransport(
            verify=self.ssl_context, limits=_LIMITS, proxy=_proxy(httpx.URL(api_url))
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        status = None
        try:
            response = await self._inner.handle_async_request(request)
            status = response.status_code
        finally:
            path = request.url.path.removeprefix(self._root)
            self._observe(route_of(request.method, path, request.content), status)
        return response

    async def __aenter__(self) -> Self:
        return self

    async def aclose(self) -> None:
        """Do nothing: the clients that call this are not the owner."""

    async def close(self) -> None:
        """Close the pool."""
        await self._inner.aclose()


@functools.cache
def _tls() -> ssl.SSLContext:
    """The context with the machine's certificates, whose reading takes 20 ms."""
    return ssl.create_default_context()


def _nobody(_route: str, _status: int | None) -> None:
    """Do nothing."""


def _proxy(url: httpx.URL) -> str | None:
    """The proxy that the environment names for a URL, as other programs read it."""
    return None if proxy_bypass(url.host) else getproxies().get(url.scheme)
