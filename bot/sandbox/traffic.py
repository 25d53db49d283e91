"""What went over the wire: each request with its times, and each breach of GitHub's contract."""

import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self


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
    latency: float = 0.0  # seconds without a new request before any answer is given
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, method: str, path: str) -> Exchange:
        exchange = Exchange(method=method, path=path, started=time.perf_counter())
        with self._lock:
            self.requests.append(exchange)
        return exchange

    def time_to_hold(self) -> float:
        """Seconds for which an answer that is ready should wait still; not above 0 when none."""
        with self._lock:
            latest = self.requests[-1].started
        return latest + self.latency - time.perf_counter()

    def finish(self, exchange: Exchange, status: int) -> None:
        exchange.status, exchange.finished = status, time.perf_counter()

    def breach(self, kind: str, request: str, problem: str) -> None:
        with self._lock:
            self.violations.append(Violation(kind=kind, request=request, problem=problem))


class Measure:
    """Counts the requests made while it is entered.

    Answers are held back meanwhile until no request has come for a little, so that requests sent
    together overlap and what is sent one after another does not.
    """

    def __init__(self, traffic: Traffic, latency: float) -> None:
        self._traffic = traffic
        self._latency = latency
        self._start = 0
        self._end: int | None = None

    def __enter__(self) -> Self:
        self._start = len(self._traffic.requests)
        self._before, self._traffic.latency = self._traffic.latency, self._latency
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end = len(self._traffic.requests)
        self._traffic.latency = self._before

    @property
    def requests(self) -> tuple[Exchange, ...]:
        return tuple(self._traffic.requests[self._start : self._end])

    @property
    def depth(self) -> int:
        """How many waves: the longest chain of requests, each begun after the one before ended."""
        waves, end = 0, 0.0
        done = [(r.finished, r.started) for r in self.requests if r.finished is not None]
        for finished, started in sorted(done):
            if started >= end:
                waves, end = waves + 1, finished
        return waves
