"""Recognise that GitHub asks for a pause, in each of the forms it uses, and what it leaves us.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

UNSPECIFIED: Final = timedelta(seconds=60)  # the least that GitHub asks for when it names no time
_SHORTEST: Final = timedelta(seconds=1)
_LONGEST: Final = 86_400  # seconds; no limit of GitHub's lasts longer than an hour
_TYPES: Final = frozenset({"RATE_LIMIT", "RATE_LIMITED"})  # both are in use
_PHRASES: Final = ("rate limit", "abuse detection")
_TOO_QUICKLY: Final = "submitted too quickly"  # of a mutation that creates content, whatever type


@dataclass(frozen=True, slots=True)
class Pause:
    """How long to wait. is_told: GitHub named the time; else it is the least that it asks for."""

    duration: timedelta
    is_told: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """What is left of a primary limit: requests (REST) or points (GraphQL)."""

    limit: int
    remaining: int
    reset: datetime  # by GitHub's clock


def pause_of_response(
    status: int, headers: Mapping[str, str], message: str, *, now: datetime
) -> Pause | None:
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
) -> Pause | None:
    """Tell how long to wait after a GraphQL answer, which is a limit even at status 200.

    errors: type and message of each, "" where there is none.
    """
    if any(
        type_ in _TYPES
        or _TOO_QUICKLY in message
        or (not type_ and any(phrase in message.lower() for phrase in _PHRASES))
        for type_, message in errors
    ):
        return _pause(headers, now)
    return None


def rate_of(headers: Mapping[str, str]) -> tuple[str, Rate] | None:
    """Read which primary limit an answer counts against, and what is left of it; None for none."""
    numbers = [headers.get(f"x-ratelimit-{name}", "") for name in ("limit", "remaining", "reset")]
    if not all(map(_is_number, numbers)):
        return None
    limit, remaining, reset = (int(number[:11]) for number in numbers)
    rate = Rate(limit=limit, remaining=remaining, reset=datetime.fromtimestamp(reset, UTC))
    return headers.get("x-ratelimit-resource", "core"), rate


def date_of(headers: Mapping[str, str]) -> datetime | None:
    """GitHub's time, from the Date header; None where there is none that can be read."""
    return _date(headers.get("date", ""))


def seconds_of_retry_after(value: str, *, now: datetime) -> int | None:
    """Read a Retry-After header, which is a number of seconds or a date; None for neither."""
    if _is_number(value):
        return min(int(value[:9]), _LONGEST)
    if (date := _date(value)) is None:
        return None
    return min(max(0, round((date - now).total_seconds())), _LONGEST)


def _pause(headers: Mapping[str, str], now: datetime) -> Pause:
    if "retry-after" in headers:
        seconds = seconds_of_retry_after(headers["retry-after"], now=now)
        if seconds is not None:
            return Pause(max(_SHORTEST, timedelta(seconds=seconds)), is_told=True)
    elif (known := rate_of(headers)) is not None and known[1].remaining == 0:
        return Pause(max(_SHORTEST, known[1].reset - now), is_told=True)
    return Pause(UNSPECIFIED, is_told=False)


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit()
