"""The forms in which GitHub asks for a pause."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.github.limits import (
    Pause,
    Rate,
    date_of,
    pause_of_graphql,
    pause_of_response,
    rate_of,
    seconds_of_retry_after,
)

LONG: dict[str, str] = {
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-resource": "graphql",
}
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."

RESPONSES = {
    "a plain 403 is a lack of rights": (403, {}, "Resource not accessible", None),
    "no other status is a limit": (404, {"retry-after": "5"}, SECONDARY, None),
    "retry-after in seconds": (403, {"retry-after": "17"}, "", 17),
    "retry-after of a year is none of GitHub's": (429, {"retry-after": "31536000"}, "", 86_400),
    "retry-after as a date": (429, {"retry-after": "Fri, 02 Jan 2026 03:05:05 GMT"}, "", 60),
    "a date that is past": (429, {"retry-after": "Fri, 02 Jan 2026 03:00:00 GMT"}, "", 1),
    "retry-after that nobody can read": (403, {"retry-after": "soon"}, "", 60),
    "retry-after of nothing": (403, {"retry-after": "0"}, "", 1),
    "the primary limit, until its reset": (
        403,
        LONG | {"x-ratelimit-reset": str(int(NOW.timestamp()) + 900)},
        "API rate limit exceeded",
        900,
    ),
    "the primary limit, reset already": (
        429,
        LONG | {"x-ratelimit-reset": "1"},
        "",
        1,
    ),
    "the primary limit without a reset": (403, {"x-ratelimit-remaining": "0"}, "", 60),
    "a secondary limit by its words alone": (
        403,
        {"x-ratelimit-remaining": "4711", "x-ratelimit-reset": "1900000000"},
        SECONDARY,
        60,
    ),
    "abuse detection": (403, {}, "You have triggered an abuse detection mechanism", 60),
    "a bare 429": (429, {}, "", 60),
    "retry-after counts before the reset": (
        403,
        LONG | {"retry-after": "9", "x-ratelimit-reset": str(int(NOW.timestamp()) + 900)},
        SECONDARY,
        9,
    ),
}
GUESSED = {name for name, row in RESPONSES.items() if row[3] == 60} - {"retry-after as a date"}


@pytest.mark.parametrize("name", RESPONSES)
def test_pause_of_response(name: str) -> None:
    status, headers, message, seconds = RESPONSES[name]
    told = name not in GUESSED
    expected = None if seconds is None else Pause(timedelta(seconds=seconds), is_told=told)
    assert pause_of_response(status, headers, message, now=NOW) == expected


@pytest.mark.parametrize(
    ("errors", "seconds"),
    [
        ([], None),
        ([("NOT_FOUND", "Could not resolve to a node")], None),
        ([("", "Something went wrong while executing your query")], None),
        ([("RATE_LIMITED", "API rate limit exceeded")], 60),
        ([("NOT_FOUND", ""), ("RATE_LIMIT", "")], 60),
        ([("", SECONDARY)], 60),
        ([("UNPROCESSABLE", "was submitted too quickly")], 60),
        ([("NOT_FOUND", "no repository named rate limit")], None),
    ],
)
def test_pause_of_graphql(errors: list[tuple[str, str]], seconds: int | None) -> None:
    expected = None if seconds is None else Pause(timedelta(seconds=seconds), is_told=False)
    assert pause_of_graphql(errors, {}, now=NOW) == expected


def test_a_graphql_limit_lasts_until_the_reset() -> None:
    reset = str(int(NOW.timestamp()) + 300)
    headers = LONG | {"x-ratelimit-reset": reset}
    errors = [("RATE_LIMITED", "")]
    expected = Pause(timedelta(seconds=300), is_told=True)
    assert pause_of_graphql(errors, headers, now=NOW) == expected


def test_what_is_left_of_a_limit() -> None:
    headers = LONG | {"x-ratelimit-reset": str(int(NOW.timestamp()))}
    assert rate_of(headers) == ("graphql", Rate(limit=5000, remaining=0, reset=NOW))
    assert rate_of({}) is rate_of(headers | {"x-ratelimit-remaining": "-1"}) is None


def test_githubs_time() -> None:
    assert date_of({"date": "Fri, 02 Jan 2026 03:04:05 GMT"}) == NOW
    assert date_of({}) is date_of({"date": "today"}) is None


@pytest.mark.parametrize("value", ["", "-5", "1.5", "٣", "Fri, 99 Jan 2026", "x" * 5000])
def test_a_strange_retry_after_is_nothing(value: str) -> None:
    assert seconds_of_retry_after(value, now=NOW) is None
