"""Signed deliveries ready to be sent, and a client that keeps several of them in flight.

The client is one thread over plain sockets: what it costs must not hide what the server costs.
"""

import hashlib
import hmac
import json
import selectors
import socket
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.handlers.examples import examples

SECRET: Final = "a-secret-for-this-benchmark-only"
_HEADER_ENDS: Final = b"\r\n\r\n"
_SECONDS: Final = 60  # without any answer, before a run is given up


def pushes(count: int, *, pulls: int) -> list[bytes]:
    """Bodies of `pull_request.synchronize`, each with a head of its own, in turn on pulls pull
    requests, ten to a repository."""
    payload = examples("pull_request", "synchronize")[0]
    return [_push(payload, number % pulls, f"{number:040x}") for number in range(count)]


def _push(payload: dict[str, Any], pull: int, sha: str) -> bytes:
    pull_request = payload["pull_request"]
    whole = {
        **payload,
        "number": pull + 1,
        "after": sha,
        "repository": {**payload["repository"], "id": 1_000 + pull // 10},
        "pull_request": {
            **pull_request,
            "number": pull + 1,
            "head": {**pull_request["head"], "sha": sha},
        },
    }
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()


def requests(bodies: Iterable[bytes], *, path: str) -> list[bytes]:
    """The same as signed HTTP requests, each under a GUID of its own."""
    return [_request(body, path) for body in bodies]


def _request(body: bytes, path: str) -> bytes:
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n"
        f"User-Agent: GitHub-Hookshot/044aadd\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nX-GitHub-Event: pull_request\r\n"
        f"X-GitHub-Delivery: {uuid.uuid4()}\r\nX-GitHub-Hook-ID: 292430182\r\n"
        f"X-GitHub-Hook-Installation-Target-ID: 79929171\r\n"
        f"X-GitHub-Hook-Installation-Target-Type: integration\r\n"
        f"X-Hub-Signature-256: sha256={signature}\r\n\r\n"
    )
    return head.encode() + body


def send(port: int, deliveries: Iterable[bytes], *, in_flight: int) -> list[float]:
    """Send deliveries, in_flight at a time, over as many connections; the seconds each one took.

    Raises SystemExit at the first answer that is no success, and after _SECONDS without one.
    """
    waiting, seconds = iter(deliveries), list[float]()
    with selectors.DefaultSelector() as selector:
        for _ in range(in_flight):
            line = _Line(socket.create_connection(("127.0.0.1", port)))
            selector.register(line.socket, selectors.EVENT_READ, line)
            _next(selector, line, next(waiting, None))
        while selector.get_map():
            ready = selector.select(_SECONDS)
            if not ready:
                raise SystemExit(f"no answer in {_SECONDS} seconds")
            for key, _ in ready:
                line = key.data
                if line.is_answered():
                    seconds.append(time.perf_counter() - line.sent)
                    _next(selector, line, next(waiting, None))
    return seconds


def _next(selector: selectors.BaseSelector, line: "_Line", delivery: bytes | None) -> None:
    if delivery is None:
        selector.unregister(line.socket)
        line.socket.close()
        return
    line.sent = time.perf_counter()
    line.socket.sendall(delivery)


@dataclass(slots=True)
class _Line:
    """A connection with one request in flight."""

    socket: socket.socket
    sent: float = 0.0
    answer: bytearray = field(default_factory=bytearray)

    def is_answered(self) -> bool:
        """Whether what has come by now is the whole answer."""
        data = self.socket.recv(65_536)
        self.answer += data
        head, ends, body = self.answer.partition(_HEADER_ENDS)
        if data and not (ends and len(body) >= _length(head)):
            return False
        if not head.startswith(b"HTTP/1.1 2"):
            raise SystemExit(f"a delivery was refused: {bytes(self.answer)!r}")
        self.answer.clear()
        return True


def _length(head: bytes | bytearray) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise SystemExit(f"an answer without a length: {bytes(head)!r}")
