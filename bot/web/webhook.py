"""`POST /webhook`: a delivery is checked, written down with what follows from it, then answered.

GitHub never sends a delivery again by itself, so 202 means that it is on disk. Whatever comes with
a good signature is recorded, also when nothing follows from it; a bad one leaves a line in the log.
No line shows a payload or a signature.
"""

import ipaddress
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from bot.handlers import payload as read
from bot.handlers.parser import Parser
from bot.handlers.registry import meaning
from bot.logs import about
from bot.store.commands import WaitingCommand
from bot.store.deliveries import Delivery, NotDurableError
from bot.store.work import News
from bot.web.refusals import Refusals
from bot.web.signature import is_signed

log = logging.getLogger(__name__)

Ingest = Callable[[Delivery, Sequence[News], WaitingCommand | None], Awaitable[bool]]
Observe = Callable[[str, str], None]

_EVENT: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_GUID: Final = re.compile(r"[0-9A-Za-z-]{1,64}")


class Webhook:
    """The endpoint, as an ASGI application."""

    def __init__(
        self,
        *,
        ingest: Ingest,
        secrets: Sequence[bytes],
        names: tuple[str, ...],
        max_body: int,
        observe: Observe | None = None,
    ) -> None:
        """ingest: makes a delivery durable, False when it came before. max_body: bytes.
        names: what a command may begin with.
        observe: hears the event of each delivery, as its header gives it, and what became of it:
        refused, lost (it could not be kept), known, ignored or accepted.

        Raises ValueError without a secret: an unsigned delivery is anybody's.
        """
        if not secrets or not all(secrets):
            raise ValueError("a webhook needs a secret")
        self._ingest, self._secrets, self._max_body = ingest, tuple(secrets), max_body
        self._names, self._parser = names, Parser()
        self._refusals = Refusals()
        self._observe = observe or _nobody

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response, outcome = await self._answer(request)
        self._observe(request.headers.get("x-github-event", ""), outcome)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> tuple[Response, str]:
        try:
            arrived = await self._read(request)
        except _RefusedError as refused:
            self._refusals.note(str(refused), guid=_guid(request), address=_address(request))
            return PlainTextResponse(f"{refused}\n", refused.status), "refused"
        except ClientDisconnect:
            reason = "The sender hung up."
            self._refusals.note(reason, guid=_guid(request), address=_address(request))
            return Response(status_code=400), "refused"  # nobody is there to read it
        with about(
            delivery=arrived.delivery.guid,
            repository=arrived.repository,
            number=arrived.number,
            installation=arrived.delivery.installation_id,
        ):
            return await self._keep(arrived)

    async def _keep(self, arrived: "_Arrived") -> tuple[Response, str]:
        try:
            is_new = await self._ingest(arrived.delivery, arrived.news, arrived.command)
        except NotDurableError:
            log.exception("%s could not be kept", arrived)
            answer = PlainTextResponse("The delivery could not be kept; send it again.\n", 503)
            return answer, "lost"
        why = arrived.delivery.ignored
        outcome = f"ignored, {why}" if why else "accepted"
        log.info("%s: %s", arrived, outcome if is_new else "known already")
        if not is_new:
            return PlainTextResponse("Known already.\n", 202), "known"
        return PlainTextResponse("Accepted.\n", 202), "ignored" if why else "accepted"

    async def _read(self, request: Request) -> "_Arrived":
        headers = request.headers
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _RefusedError(415, "The content type must be application/json.")
        event, guid = headers.get("x-github-event", ""), headers.get("x-github-delivery", "")
        if not _EVENT.fullmatch(event):
            raise _RefusedError(400, "The header X-GitHub-Event is missing or malformed.")
        if not _GUID.fullmatch(guid):
            raise _RefusedError(400, "The header X-GitHub-Delivery is missing or malformed.")
        signature = headers.get("x-hub-signature-256")
        if signature is None:
            raise _RefusedError(401, "The header X-Hub-Signature-256 is missing.")
        body = await self._body(request)
        if not is_signed(body, signature, self._secrets):
            raise _RefusedError(401, "The signature does not match.")
        payload = self._parse(body)
        meant = meaning(event, payload, self._names, guid=guid)
        delivery = Delivery(
            guid=guid,
            event=event,
            action=read.action(payload),
            installation_id=meant.installation_id,
            repository_id=meant.repository_id,
            ignored=meant.ignored,
        )
        return _Arrived(
            delivery=delivery,
            news=meant.news,
            command=meant.command,
            repository=read.repository(payload),
            number=read.number(payload, "pull_request", "number")
            or read.number(payload, "issue", "number"),
        )

    def _parse(self, body: bytes) -> read.Payload:
        try:
            return self._parser.parse(body)
        except (ValueError, RecursionError):  # also bytes that are not UTF-8, numbers too long
            raise _RefusedError(400, "The body is not JSON.") from None
        except TypeError:
            raise _RefusedError(400, "The body is not a JSON object.") from None

    async def _body(self, request: Request) -> bytes:
        """The body, refused as soon as it is known to be too large."""
        too_large = _RefusedError(413, f"The body may have {self._max_body} bytes at most.")
        length = request.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise _RefusedError(400, "The header Content-Length is malformed.")
        if len(length) > 15 or int(length) > self._max_body:
            raise too_large
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > self._max_body:
                raise too_large
        return bytes(body)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arrived:
    """A delivery as it was signed. Its text is for the log: every part has a narrow pattern."""

    delivery: Delivery
    news: tuple[News, ...]
    command: WaitingCommand | None
    repository: str | None  # owner/name
    number: int | None  # of the pull request

    def __str__(self) -> str:
        event, action = self.delivery.event, self.delivery.action
        what = f"{event}.{action}" if action else event
        number = f"#{self.number}" if self.repository and self.number else ""
        about = f"{self.repository or ''}{number}"
        return " ".join(filter(None, ("delivery", self.delivery.guid, what, about)))


class _RefusedError(Exception):
    """The request is answered with this status and this one line."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def _nobody(_event: str, _outcome: str) -> None:
    """Do nothing."""


def _guid(request: Request) -> str:
    guid = request.headers.get("x-github-delivery", "")
    return guid if _GUID.fullmatch(guid) else "without a GUID"


def _address(request: Request) -> str:
    """The sender's address; what a proxy says of it is shown only where it is one."""
    try:
        return str(ipaddress.ip_address(request.client.host if request.client else ""))
    except ValueError:
        return "an unknown address"
