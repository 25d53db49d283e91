"""Recognise that GitHub asks for a pause, in each of the forms it uses.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

UNSPECIFIED: Final = timedelta(seconds=60)  # the least that GitHub asks for when it names no time
_SHORTEST: Final = timedelta(seconds=1)
_TYPES: Final = frozenset({"RATE_LIMIT", "RATE_LIMITED"})  # both are in use
_PHRASES: Final = ("rate limit", "abuse detection")


def pause_of_response(
    status: int, headers: Mapping[str, str], message: str, *, now: datetime
) -> timedelta | None:
    """Tell how long to wait after a response; None when it is no limit.

    headers: names in any case where the mapping is httpx's. message: of an error's JSON body. A 403
    is a limit only when a header or the message says so, a 429 always.
    """
    if status not in {403, 429}:
        return None
    spoken = any(phrase in message.lower() for phrase in _PHRASES)
    exhausted = headers.get("x-ratelimit-remaining") == "0"
    if status == 429 or spoken or exhausted or "retry-after" in headers:
        return _pause(headers, now)
    return None


def pause_of_graphql(
    errors: Iterable[tuple[str, str]], headers: Mapping[str, str], *, now: datetime
) -> timedelta | None:
    """Tell how long to wait after a GraphQL answer, which is a limit even at status 200.

    errors: type and message of each, "" where there is none.
    """
    if any(
        type_ in _TYPES or (not type_ and any(phrase in message.lower() for phrase in _PHRASES))
        for type_, message in errors
    ):
        return _pause(headers, now)
    return None


def seconds_of_retry_after(value: str, *, now: datetime) -> int | None:
    """Read a Retry-After header, which is a number of seconds or a date; None for neither."""
    if value.isascii() and value.isdigit():
        return int(value[:9])
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0, round((aware - now).total_seconds()))


def _pause(headers: Mapping[str, str], now: datetime) -> timedelta:
    if "retry-after" in headers:
        seconds = seconds_of_retry_after(headers["retry-after"], now=now)
        return UNSPECIFIED if seconds is None else max(_SHORTEST, timedelta(seconds=seconds))
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdigit():
        return max(_SHORTEST, datetime.fromtimestamp(int(reset[:11]), UTC) - now)
    return UNSPECIFIED
