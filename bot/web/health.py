"""Two questions that a supervisor asks: does the process live, and can it do its work?"""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

Hindrance = Callable[[], Awaitable[str]]


def health(hindrance: Hindrance) -> list[Route]:
    """`/healthz` answers 200 while the process lives, `/readyz` while it can also do its work.

    hindrance: why deliveries cannot be kept or jobs not be done; "" while they can.
    """

    async def healthz(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_request: Request) -> Response:
        if why := await hindrance():
            return PlainTextResponse(f"not ready: {why}\n", 503)
        return PlainTextResponse("ready\n")

    return [Route("/healthz", healthz), Route("/readyz", readyz)]
