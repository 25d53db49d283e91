"""An ASGI application on a port of this machine, in a thread of its own: for the demo and tests."""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Final, Self, TypeVar

import uvicorn

T = TypeVar("T")

_SECONDS_TO_START: Final = 30
_SECONDS_BETWEEN_LOOKS: Final = 0.002  # at connections that are being closed


class Background:
    """`with Background(app) as served:` serves app at served.url until the block ends."""

    def __init__(self, app: Callable[..., Any], *, port: int = 0) -> None:
        """port: 0 is any free one, and known at once."""
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port: Final[int] = self._socket.getsockname()[1]
        self.url: Final = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="on",
            ws="none",
            date_header=False,  # it would stay that of the start
        )
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._server.ready.wait(_SECONDS_TO_START) or self._server.loop is None:
            raise RuntimeError("the application did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.end()
        self._thread.join()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the application's own event loop, and wait for what it gives."""
        loop = self._server.loop
        if loop is None:
            raise RuntimeError("the application is not running")
        future: Future[T] = asyncio.run_coroutine_threadsafe(coroutine, loop)
        return future.result()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._server.ready.set()  # also when it did not start, so that nobody waits


class _Server(uvicorn.Server):
    """Tells when it serves, and on which event loop; ends at once when it is told to.

    uvicorn's own looks ten times a second whether it should end, and then sleeps a tenth more.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving."""
        await super().startup(sockets=sockets)
        if self.started:
            self.loop = asyncio.get_running_loop()
            self.ready.set()

    def end(self) -> None:
        """Have it end, from any thread."""
        self.should_exit = True
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self._told.set)

    async def main_loop(self) -> None:
        """Serve until told to end."""
        await self.on_tick(0)
        await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002
        """Take no more requests, answer those that have come, then stop the application."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        await self.lifespan.shutdown()

    def install_signal_handlers(self) -> None:
        """A thread may not take signals."""
