"""Timestamps as people and tools write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.timestamps import instant

NOON = datetime(2026, 10, 10, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-10-10T12:00:00.000Z",
        "2026-10-10T12:00:00Z",
        "2026-10-10t12:00:00z",
        "2026-10-10 12:00:00Z",
        "2026-10-10T12:00Z",
        "2026-10-10T14:00:00+02:00",
        "2026-10-10T14:00:00+0200",
        "2026-10-10T14:00:00+02",
        "2026-10-10T12:00:00,0Z",
        "2026-10-10T12:00:00",
    ],
)
def test_forms_of_one_moment(text: str) -> None:
    assert instant(text) == NOON


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "20261010",
        "2026-10-10",
        "2026-02-30T12:00:00Z",
        "2026-10-10T25:00:00Z",
        "2026-10-10T12:00:00Z ",
        "2026-10-10T12:00:00+99:00",
        "２０２６-10-10T12:00:00Z",
    ],
)
def test_what_is_no_moment(text: str) -> None:
    assert instant(text) is None


@given(st.datetimes(timezones=st.just(timezone(timedelta(hours=-5)))))
def test_what_python_writes_is_read(moment: datetime) -> None:
    assert instant(moment.isoformat()) == moment
