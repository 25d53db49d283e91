"""The forms in which GitHub asks for a pause."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.github.limits import pause_of_graphql, pause_of_response, seconds_of_retry_after

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."

RESPONSES = {
    "a plain 403 is a lack of rights": (403, {}, "Resource not accessible", None),
    "no other status is a limit": (404, {"retry-after": "5"}, SECONDARY, None),
    "retry-after in seconds": (403, {"retry-after": "17"}, "", 17),
    "retry-after as a date": (429, {"retry-after": "Fri, 02 Jan 2026 03:05:05 GMT"}, "", 60),
    "a date that is past": (429, {"retry-after": "Fri, 02 Jan 2026 03:00:00 GMT"}, "", 1),
    "retry-after that nobody can read": (403, {"retry-after": "soon"}, "", 60),
    "retry-after of nothing": (403, {"retry-after": "0"}, "", 1),
    "the primary limit, until its reset": (
        403,
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 900)},
        "API rate limit exceeded",
        900,
    ),
    "the primary limit, reset already": (
        429,
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"},
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
}


@pytest.mark.parametrize(
    ("status", "headers", "message", "seconds"), RESPONSES.values(), ids=RESPONSES
)
def test_pause_of_response(
    status: int, headers: dict[str, str], message: str, seconds: int | None
) -> None:
    expected = None if seconds is None else timedelta(seconds=seconds)
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
        ([("NOT_FOUND", "no repository named rate limit")], None),
    ],
)
def test_pause_of_graphql(errors: list[tuple[str, str]], seconds: int | None) -> None:
    expected = None if seconds is None else timedelta(seconds=seconds)
    assert pause_of_graphql(errors, {}, now=NOW) == expected


def test_a_graphql_limit_lasts_until_the_reset() -> None:
    reset = str(int(NOW.timestamp()) + 300)
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": reset}
    errors = [("RATE_LIMITED", "")]
    assert pause_of_graphql(errors, headers, now=NOW) == timedelta(seconds=300)


@pytest.mark.parametrize("value", ["", "-5", "1.5", "٣", "Fri, 99 Jan 2026", "x" * 5000])
def test_a_strange_retry_after_is_nothing(value: str) -> None:
    assert seconds_of_retry_after(value, now=NOW) is None
