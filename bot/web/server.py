"""The web application: the webhook, and two questions that a supervisor asks.

`/healthz` answers 200 while the process lives, `/readyz` while it can also do its work; else it
says what is in the way.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.web.webhook import Ingest, Webhook

MAX_BODY: Final = 25 * 1024 * 1024  # bytes, what GitHub sends at most
Hindrance = Callable[[], Awaitable[str]]
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def create_web(
    *,
    ingest: Ingest,
    secrets: Sequence[bytes],
    hindrance: Hindrance,
    max_body: int = MAX_BODY,
    lifespan: Lifespan | None = None,
) -> Starlette:
    """The application.

    ingest: makes a delivery and what it wakes durable, False when it came before.
    secrets: the webhook's secrets; during a rotation there are two.
    hindrance: why deliveries cannot be kept or jobs not be done; "" while they can.
    lifespan: what to start before the first request, and to stop after the last.
    """
    webhook = Webhook(ingest=ingest, secrets=secrets, max_body=max_body)

    async def healthz(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_request: Request) -> Response:
        if why := await hindrance():
            return PlainTextResponse(f"not ready: {why}\n", 503)
        return PlainTextResponse("ready\n")

    async def receive(request: Request) -> Response:
        return await webhook(request)

    return Starlette(
        routes=[
            Route("/webhook", receive, methods=["POST"]),
            Route("/healthz", healthz),
            Route("/readyz", readyz),
        ],
        lifespan=lifespan,
    )
