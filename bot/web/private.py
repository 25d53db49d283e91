"""What is for the operator alone: figures for Prometheus, and whether this process is well.

It listens on a port of its own, on this machine by default: a proxy in front of the webhook may
forward every path, and figures name installations.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.web.health import Hindrance, health

log = logging.getLogger(__name__)

SECONDS_TO_END: Final = 1  # for requests that have come
Figures = Callable[[], Awaitable[bytes]]


def create_private(*, figures: Figures, content_type: str, hindrance: Hindrance) -> Starlette:
    """The application: /metrics, /healthz and /readyz.

    figures: in Prometheus's text format. hindrance: as in bot/web/server.py.
    """

    async def metrics(_request: Request) -> Response:
        return Response(await figures(), headers={"content-type": content_type})

    return Starlette(routes=[Route("/metrics", metrics), *health(hindrance)])


@asynccontextmanager
async def serving(app: Starlette, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Serve an application on these sockets, if any, on the event loop that runs, until the end."""
    if not sockets:
        yield
        return
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    for one in sockets:
        host, port, *_ = one.getsockname()
        log.info("figures at http://%s:%d/metrics", f"[{host}]" if ":" in host else host, port)
    server = _Beside(config)
    running = asyncio.create_task(server.serve(sockets=list(sockets)))
    try:
        yield
    finally:
        server.should_exit = True
        await running


class _Beside(uvicorn.Server):
    """A server beside the main one, which takes the signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield
