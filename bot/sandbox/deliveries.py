"""Webhook deliveries: signed, sent in order by one thread, and kept with their answers.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers
"""

import hashlib
import hmac
import json
import queue
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import httpx

if TYPE_CHECKING:
    from bot.sandbox.state.apps import App

ANSWER_TIME: Final = 10.0  # seconds that GitHub waits for a receiver
NO_ANSWER: Final = 0  # the status of a delivery that reached nobody


# Receivers are on this machine, without TLS; httpx's own context takes 25 ms to make.
_NO_TLS: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(eq=False, slots=True, kw_only=True)
class Delivery:
    """One event for one app. status: of the receiver's answer; None until there is one."""

    id: int
    app: "App" = field(repr=False)
    event: str
    action: str | None
    payload: Mapping[str, Any] = field(repr=False)
    installation_id: int | None
    repository_id: int | None
    guid: str = field(default_factory=lambda: str(uuid.uuid4()))
    redelivery: bool = False
    status: int | None = None
    answer: str = ""
    delivered_at: datetime | None = None
    duration: float = 0.0  # seconds
    body: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        self.body = self.body or json.dumps(self.payload, separators=(",", ":")).encode()

    @property
    def headers(self) -> dict[str, str]:
        digest = hmac.new(self.app.webhook_secret.encode(), self.body, hashlib.sha256).hexdigest()
        return {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/0a1b2c3",
            "X-GitHub-Delivery": self.guid,
            "X-GitHub-Event": self.event,
            "X-GitHub-Hook-ID": str(self.app.hook_id),
            "X-GitHub-Hook-Installation-Target-ID": str(self.app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
            "X-Hub-Signature-256": f"sha256={digest}",
        }


class Courier:
    """Sends what is handed over, one after another. `log` holds all deliveries, oldest first."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.log: list[Delivery] = []
        self._now = now
        self._queue: queue.SimpleQueue[Delivery | None] = queue.SimpleQueue()
        self._change = threading.Condition()
        self._waiting = 0  # handed over for sending and not answered yet
        self._held: list[Delivery] | None = None
        self._thread: threading.Thread | None = None

    def hand_over(self, delivery: Delivery) -> None:
        """Record a delivery and send it soon, unless its app has no address."""
        with self._change:
            self.log.append(delivery)
            if delivery.app.webhook_url is None:
                return
            if self._held is not None:
                self._held.append(delivery)
                return
            self._send_soon(delivery)

    def pause(self) -> None:
        """Hold back what comes from now on."""
        with self._change:
            self._held = self._held or []

    def resume(self) -> None:
        """Send what was held back, in order, and what comes from now on."""
        with self._change:
            held, self._held = self._held or [], None
            for delivery in held:
                self._send_soon(delivery)

    def settle(self, timeout: float = 30.0) -> None:
        """Wait until all that is to be sent has been answered; raises TimeoutError."""
        with self._change:
            if not self._change.wait_for(lambda: self._waiting == 0, timeout):
                raise TimeoutError(f"{self._waiting} deliveries unanswered after {timeout} s")

    def close(self) -> None:
        """Drop what is not sent yet and end the thread."""
        if self._thread is not None:
            with self._change:
                self._held = []
                while not self._queue.empty():
                    self._queue.get()
                    self._waiting -= 1
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _send_soon(self, delivery: Delivery) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="deliveries", daemon=True)
            self._thread.start()
        self._waiting += 1
        self._queue.put(delivery)

    def _run(self) -> None:
        with httpx.Client(timeout=ANSWER_TIME, trust_env=False, verify=_NO_TLS) as client:
            while (delivery := self._queue.get()) is not None:
                self._send(client, delivery)
                with self._change:
                    self._waiting -= 1
                    self._change.notify_all()

    def _send(self, client: httpx.Client, delivery: Delivery) -> None:
        url = delivery.app.webhook_url or ""
        started = time.perf_counter()
        delivery.delivered_at = self._now()
        try:
            answer = client.post(url, content=delivery.body, headers=delivery.headers)
            delivery.status, delivery.answer = answer.status_code, answer.text
        except httpx.HTTPError as error:
            delivery.status, delivery.answer = NO_ANSWER, str(error)
        delivery.duration = round(time.perf_counter() - started, 3)
