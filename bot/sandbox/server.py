"""The sandbox on a port: a Starlette app on uvicorn, in a thread of its own."""

import asyncio
import json
import socket
import threading
import uuid
from email.utils import format_datetime
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Address
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.sandbox.faults import Faults
from bot.sandbox.graph import door as graphql
from bot.sandbox.page import routes
from bot.sandbox.rest import door as rest
from bot.sandbox.state.rates import Rate
from bot.sandbox.state.world import World
from bot.sandbox.traffic import Exchange, Traffic
from bot.sandbox.wire import Reply, Request, error

_FREE: Final = "/rate_limit"  # asking how much is left costs nothing
_METHODS: Final = ["GET", "POST", "PATCH", "PUT", "DELETE"]


class Server:
    """Answers on 127.0.0.1 from `start` to `stop`; both take some milliseconds."""

    def __init__(self, world: World, traffic: Traffic, faults: Faults) -> None:
        self._world = world
        self._traffic = traffic
        self._faults = faults
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
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
        try:
            body = await http.body()
        except ClientDisconnect:  # it died in the middle of its request
            return Response(status_code=400)
        exchange = self._traffic.begin(http.method, http.url.path)
        request = Request(
            method=http.method,
            path=http.scope["raw_path"].decode("ascii", "replace").partition("?")[0],
            query=dict(http.query_params),
            headers=dict(http.headers),
            body=body,
        )
        rate = self._count(request)
        reply = await run_in_threadpool(self._answer, request, exchange, rate)
        await self._traffic.hold(exchange)
        self._traffic.finish(exchange, reply.status)
        if reply.is_cut:
            await self._uvicorn.cut(http.client)
        return self._render(reply, rate)

    def _count(self, request: Request) -> Rate:
        caller = self._world.caller(request.headers.get("authorization"))
        resource, rates = "graphql" if request.is_graphql else "core", self._world.rates
        with self._world.lock:
            if request.path == _FREE:
                return rates.look(caller, resource)
            return rates.count(caller, resource)

    def _answer(self, request: Request, exchange: Exchange, rate: Rate) -> Reply:
        if rate.is_exceeded and request.path != _FREE:
            return _exceeded(request)
        fault = self._faults.take(request.subject)
        if fault is None:
            return self._really(request, exchange)
        if not fault.after_effect:
            fault.hang()
        if fault.is_false and not fault.after_effect:
            return fault.reply()
        with self._world.lock, fault.staleness(self._world):
            reply = self._really(request, exchange)
        if fault.after_effect:
            fault.hang()
        return fault.reply() if fault.is_false else reply

    def _really(self, request: Request, exchange: Exchange) -> Reply:
        answer = graphql.answer if request.is_graphql else rest.answer
        with self._world.lock:
            try:
                return answer(self._world, self._traffic, request, exchange)
            except Exception as bug:
                self._traffic.breach("sandbox", request.subject, repr(bug))
                return error(500, f"The sandbox failed: {bug!r}")

    def _render(self, reply: Reply, rate: Rate) -> Response:
        headers = {
            "date": format_datetime(self._world.now(), usegmt=True),
            "x-github-request-id": uuid.uuid4().hex.upper(),
            "x-github-media-type": "github.v3; format=json",
            **rate.headers,
            "vary": "Accept, Authorization, Cookie, X-GitHub-OTP",
            "content-type": "application/json; charset=utf-8",
            **reply.headers,
        }
        return Response(_bytes(reply.body), reply.status, headers)


def _exceeded(request: Request) -> Reply:
    """What goes beyond the hourly limit: GraphQL says so with the status 200."""
    message = "API rate limit exceeded for installation."
    if request.is_graphql:
        return Reply(body={"errors": [{"type": "RATE_LIMITED", "message": message}]})
    return error(403, message)


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

    async def cut(self, client: Address | None) -> None:
        """Break the connection of a client, which gets no answer."""
        for connection in list(self.server_state.connections):
            if getattr(connection, "client", None) == client:
                connection.transport.abort()
        await asyncio.sleep(0)  # for the connection to learn of it

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
