"""The sandbox on a port: a Starlette app on uvicorn, in a thread of its own."""

import asyncio
import json
import socket
import threading
import uuid
from datetime import timedelta
from email.utils import format_datetime
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.sandbox.faults import Faults, stale_heads
from bot.sandbox.graph import door as graphql
from bot.sandbox.page import routes
from bot.sandbox.rest import door as rest
from bot.sandbox.state.world import World
from bot.sandbox.traffic import Exchange, Traffic
from bot.sandbox.wire import Reply, Request, error

HOURLY_LIMIT: Final = 5_000
_METHODS: Final = ["GET", "POST", "PATCH", "PUT", "DELETE"]


class Server:
    """Answers on 127.0.0.1 from `start` to `stop`; both take some milliseconds."""

    def __init__(self, world: World, traffic: Traffic, faults: Faults) -> None:
        self._world = world
        self._traffic = traffic
        self._faults = faults
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._used = 0  # requests counted against the hourly limit
        api = Route("/{path:path}", self._serve, methods=_METHODS)
        config = uvicorn.Config(
            Starlette(routes=[*routes(world), api]),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            date_header=False,
            server_header=False,
        )
        self._uvicorn = _Uvicorn(config)
        self._thread = threading.Thread(target=self._run, name="sandbox", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._uvicorn.ready.wait()

    def stop(self) -> None:
        self._faults.clear()
        self._uvicorn.stop()
        self._thread.join()

    def _run(self) -> None:
        self._uvicorn.run(sockets=[self._socket])

    async def _serve(self, http: HttpRequest) -> Response:
        if "sec-fetch-mode" in http.headers:  # a person's browser; clients of the API send none
            return PlainTextResponse("There is no such page. Begin at /.", 404)
        exchange = self._traffic.begin(http.method, http.url.path)
        request = Request(
            method=http.method,
            path=http.scope["raw_path"].decode("ascii", "replace").partition("?")[0],
            query=dict(http.query_params),
            headers=dict(http.headers),
            body=await http.body(),
        )
        reply = await run_in_threadpool(self._answer, request, exchange)
        await self._traffic.hold(exchange)
        self._traffic.finish(exchange, reply.status)
        return self._render(request, reply)

    def _answer(self, request: Request, exchange: Exchange) -> Reply:
        fault = self._faults.take(request.subject)
        if fault is None:
            return self._really(request, exchange)
        fault.hang()
        if fault.status is not None and not fault.after_effect:
            return fault.reply()
        if not fault.stale_head:
            reply = self._really(request, exchange)
        else:
            with self._world.lock, stale_heads(self._world):
                reply = self._really(request, exchange)
        return reply if fault.status is None else fault.reply()

    def _really(self, request: Request, exchange: Exchange) -> Reply:
        answer = graphql.answer if request.is_graphql else rest.answer
        with self._world.lock:
            self._used += 1
            try:
                return answer(self._world, self._traffic, request, exchange)
            except Exception as bug:
                self._traffic.breach("sandbox", request.subject, repr(bug))
                return error(500, f"The sandbox failed: {bug!r}")

    def _render(self, request: Request, reply: Reply) -> Response:
        now = self._world.now()
        reset = now.replace(minute=0, second=0) + timedelta(hours=1)
        headers = {
            "date": format_datetime(now, usegmt=True),
            "x-github-request-id": uuid.uuid4().hex.upper(),
            "x-github-media-type": "github.v3; format=json",
            "x-ratelimit-limit": str(HOURLY_LIMIT),
            "x-ratelimit-remaining": str(max(0, HOURLY_LIMIT - self._used)),
            "x-ratelimit-used": str(self._used),
            "x-ratelimit-resource": "graphql" if request.is_graphql else "core",
            "x-ratelimit-reset": str(int(reset.timestamp())),
            "vary": "Accept, Authorization, Cookie, X-GitHub-OTP",
            "content-type": "application/json; charset=utf-8",
            **reply.headers,
        }
        return Response(_bytes(reply.body), reply.status, headers)


def _bytes(body: Any) -> bytes:
    if body is None or isinstance(body, bytes):
        return body or b""
    return json.dumps(body, separators=(",", ":")).encode()


class _Uvicorn(uvicorn.Server):
    """Uvicorn that is told to stop instead of looking every tenth of a second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told: asyncio.Event | None = None

    def stop(self) -> None:
        """From any thread."""
        if self._loop is not None and self._told is not None:
            self._loop.call_soon_threadsafe(self._told.set)

    async def main_loop(self) -> None:
        self._loop, self._told = asyncio.get_running_loop(), asyncio.Event()
        self.ready.set()
        await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for each in sockets or ():
            each.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110 (no event)
            await asyncio.sleep(0.001)
        for server in self.servers:
            await server.wait_closed()
