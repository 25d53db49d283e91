"""GitHub's log of the app's deliveries: what did not reach us, and how to have it sent again.

https://docs.github.com/en/rest/apps/webhooks
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qs, urlsplit

from bot.core.errors import GitHubError
from bot.github.answers import children, number, text, text_or_none
from bot.github.client import Request
from bot.github.tokens import Credentials

KEPT: Final = timedelta(days=3)  # after that a delivery cannot be sent again
_PAGE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedDelivery:
    """One attempt to deliver. A redelivery is another attempt under the same GUID."""

    id: int
    guid: str
    event: str
    action: str | None
    delivered_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """Some of the log, the newest first. cursor: of the next page; None on the last."""

    deliveries: tuple[LoggedDelivery, ...]
    cursor: str | None


async def read_log(
    credentials: Credentials, *, only_failures: bool, cursor: str | None
) -> LogPage | None:
    """Read a page of the log; None where GitHub does not know the cursor (any longer).

    only_failures: leave out what was answered with a status of 2xx.
    """
    params: dict[str, str | int] = {"per_page": _PAGE}
    if only_failures:
        params["status"] = "failure"
    if cursor is not None:
        params["cursor"] = cursor
    reply = await credentials.as_app(
        Request(method="GET", path="/app/hook/deliveries", read=True, params=params)
    )
    if cursor is not None and reply.status in {400, 404, 422}:
        return None
    found = tuple(
        LoggedDelivery(
            id=number(item, "id"),
            guid=text(item, "guid"),
            event=text(item, "event"),
            action=text_or_none(item, "action"),
            delivered_at=datetime.fromisoformat(text(item, "delivered_at")),
        )
        for item in children(reply.expect(200).data)
    )
    following = parse_qs(urlsplit(reply.next or "").query).get("cursor")
    return LogPage(deliveries=found, cursor=following[0] if following else None)


async def redeliver(credentials: Credentials, delivery_id: int) -> bool:
    """Have a delivery sent again, with its GUID; False where GitHub can do that no longer.

    Asking twice does no harm, for a GUID is acted on once; so this may be repeated as a read is.
    """
    path = f"/app/hook/deliveries/{delivery_id}/attempts"
    reply = await credentials.as_app(Request(method="POST", path=path, read=True))
    if reply.status in {400, 404, 422}:
        return False
    if reply.status >= 300:
        raise GitHubError(f"POST {path} was answered {reply.status}", status=reply.status)
    return True
