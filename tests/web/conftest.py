"""The web application with an ingest that remembers, and a client that signs as GitHub does."""

import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
import pytest

from bot.store.commands import WaitingCommand
from bot.store.deliveries import Delivery
from bot.store.work import News
from bot.web.server import create_web

SECRET = b"first secret"
OTHER_SECRET = b"second secret"
MAX_BODY = 100_000


@dataclass(slots=True)
class Ingest:
    """Remembers what came; fails when told to."""

    received: list[tuple[Delivery, tuple[News, ...]]] = field(default_factory=list)
    commands: list[WaitingCommand | None] = field(default_factory=list)
    failure: Exception | None = None

    async def __call__(
        self,
        delivery: Delivery,
        news: Sequence[News],
        command: WaitingCommand | None,
    ) -> bool:
        self.commands.append(command)
        if self.failure is not None:
            raise self.failure
        is_new = delivery.guid not in [known.guid for known, _ in self.received]
        if is_new:
            self.received.append((delivery, tuple(news)))
        return is_new


@dataclass(slots=True)
class State:
    """What the application says of itself."""

    hindrance: str = ""
    outcomes: list[tuple[str, str]] = field(default_factory=list)  # what its observer heard


@dataclass(slots=True)
class GitHub:
    """Sends deliveries, by default well formed and signed."""

    client: httpx.AsyncClient
    ingest: Ingest
    state: State

    async def send(
        self,
        payload: object = None,
        *,
        body: bytes | None = None,
        event: str = "ping",
        guid: str = "one",
        secret: bytes = SECRET,
        headers: dict[str, str | None] | None = None,
    ) -> httpx.Response:
        """POST a delivery; a header that is None is left out."""
        if body is None:
            body = json.dumps({} if payload is None else payload).encode()
        sent: dict[str, str | None] = {
            "content-type": "application/json",
            "x-github-event": event,
            "x-github-delivery": guid,
            "x-hub-signature-256": sign(body, secret),
        }
        sent |= headers or {}
        return await self.client.post(
            "/webhook",
            content=body,
            headers=[
                (name.encode(), value.encode("latin-1"))
                for name, value in sent.items()
                if value is not None
            ],
        )


def sign(body: bytes, secret: bytes = SECRET) -> str:
    return "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()


@asynccontextmanager
async def connected() -> AsyncIterator[GitHub]:
    """GitHub, connected to an application of its own."""
    ingest, state = Ingest(), State()

    async def hindrance() -> str:
        return state.hindrance

    app = create_web(
        ingest=ingest,
        secrets=(SECRET, OTHER_SECRET),
        names=("/memoryrail",),
        hindrance=hindrance,
        max_body=MAX_BODY,
        observe=lambda event, outcome: state.outcomes.append((event, outcome)),
    )
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
        yield GitHub(client, ingest, state)


@pytest.fixture
async def github() -> AsyncIterator[GitHub]:
    async with connected() as github:
        yield github
