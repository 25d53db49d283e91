"""The web application: the webhook, and the two questions that a supervisor asks."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final

from starlette.applications import Starlette
from starlette.routing import Route

from bot.web.health import Hindrance, health
from bot.web.webhook import Ingest, Observe, Webhook

MAX_BODY: Final = 25 * 1024 * 1024  # bytes, what GitHub sends at most
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def create_web(
    *,
    ingest: Ingest,
    secrets: Sequence[bytes],
    names: tuple[str, ...],
    hindrance: Hindrance,
    max_body: int = MAX_BODY,
    lifespan: Lifespan | None = None,
    observe: Observe | None = None,
) -> Starlette:
    """The application.

    ingest: makes a delivery and what it wakes durable, False when it came before.
    secrets: the webhook's secrets; during a rotation there are two.
    names: what a command may begin with.
    hindrance: why deliveries cannot be kept or jobs not be done; "" while they can.
    lifespan: what to start before the first request, and to stop after the last.
    observe: hears the event of each delivery, as its header gives it, and what became of it.
    """
    webhook = Webhook(
        ingest=ingest, secrets=secrets, names=names, max_body=max_body, observe=observe
    )
    return Starlette(
        routes=[Route("/webhook", webhook, methods=["POST"]), *health(hindrance)],
        lifespan=lifespan,
    )
