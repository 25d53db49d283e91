"""What went over the wire: each request with its times, and each breach of GitHub's contract."""

import asyncio
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

_POLL: Final = 0.001  # seconds
_TURNS: Final = 10  # of a loop in which all that waits in it is done


@dataclass(eq=False, slots=True, kw_only=True)
class Exchange:
    """One request. started and finished: seconds of a monotonic clock; finished is None while open.

    operation: GitHub's operationId, or "graphql NAME"; "" for a route that GitHub does not have.
    """

    method: str
    path: str
    started: float
    operation: str = ""
    status: int | None = None
    finished: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A breach of GitHub's contract by whoever sent the request, or (kind "sandbox") by us.

    kind: "contract" (misspelt, missing, unknown route), "limit" (too large), "credentials",
    "permission" (of the token) or "sandbox".
    """

    kind: str
    request: str
    problem: str

    def __str__(self) -> str:
        return f"{self.request}: {self.problem} ({self.kind})"


@dataclass(slots=True)
class Traffic:
    """The log. Safe to use from any thread."""

    requests: list[Exchange] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    measure: "Measure | None" = None  # that holds answers back
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, method: str, path: str) -> Exchange:
        exchange = Exchange(method=method, path=path, started=time.perf_counter())
        with self._lock:
            self.requests.append(exchange)
            if self.measure is not None:
                self.measure.began(exchange)
        return exchange

    async def hold(self, exchange: Exchange) -> None:
        """Return when the answer, which is ready, may be given; at once where nothing measures."""
        if (measure := self.measure) is not None:
            await measure.hold(exchange, self._lock)

    def finish(self, exchange: Exchange, status: int) -> None:
        exchange.status, exchange.finished = status, time.perf_counter()

    def breach(self, kind: str, request: str, problem: str) -> None:
        with self._lock:
            self.violations.append(Violation(kind=kind, request=request, problem=problem))


class Measure:
    """Counts requests and waves while it is entered.

    A wave is what is sent before any answer is given: answers are held back until all of them are
    ready and no further request has come for a little, and then given together. How busy the
    machine is must not count, so where the client's event loop runs the with block, that little is
    measured in turns of its loop as well as in time.
    """

    def __init__(self, traffic: Traffic, latency: float) -> None:
        """latency: seconds; 0 gives each answer when it is ready, and tells nothing of waves."""
        self._traffic = traffic
        self._latency = latency
        self._requests: list[Exchange] = []
        self._held: dict[Exchange, bool] = {}  # whether it is ready, of those not answered yet
        self._waves = 0
        self._latest = 0.0  # when a request came or its answer was ready
        self._turns: int | None = None  # of the client's loop since the latest request
        self._beat: asyncio.Handle | None = None

    def __enter__(self) -> Self:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            self._turns = 0
            self._turn(loop)
        self._traffic.measure = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._traffic.measure = None
        self._held.clear()
        if self._beat is not None:
            self._beat.cancel()

    @property
    def requests(self) -> tuple[Exchange, ...]:
        return tuple(self._requests)

    @property
    def depth(self) -> int:
        """How many waves."""
        return self._waves

    def began(self, exchange: Exchange) -> None:
        """Take note of a request."""
        self._requests.append(exchange)
        self._held[exchange] = False
        self._latest = time.perf_counter()
        if self._turns is not None:
            self._turns = 0

    async def hold(self, exchange: Exchange, lock: threading.Lock) -> None:
        """Return when the wave of an exchange is over; its answer is ready."""
        with lock:
            if exchange in self._held:
                self._held[exchange] = True
                self._latest = time.perf_counter()
        polls = known = 0  # turns of the server's own loop, in which it may find a request waiting
        while self._latency and exchange in self._held:
            await asyncio.sleep(_POLL)
            with lock:
                polls = polls + 1 if known == len(self._requests) else 0
                known = len(self._requests)
                if polls >= _TURNS and self._is_quiet() and self._held:
                    self._held.clear()
                    self._waves += 1

    def _is_quiet(self) -> bool:
        return (
            all(self._held.values())
            and time.perf_counter() - self._latest >= self._latency
            and (self._turns is None or self._turns >= _TURNS)
        )

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._turns is not None:
            self._turns += 1
        self._beat = loop.call_later(_POLL, self._turn, loop)
