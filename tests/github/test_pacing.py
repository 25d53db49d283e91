"""How fast an installation may write."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.github.pacing import Pace, Pacing

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def seconds(pace: Pace, mutations: int = 1, *, after: float, creates_content: bool = True) -> float:
    now = NOW + timedelta(seconds=after)
    return pace.pause(mutations, creates_content=creates_content, now=now).total_seconds()


def write(pace: Pace, mutations: int = 1, *, after: float, creates_content: bool = True) -> None:
    now = NOW + timedelta(seconds=after)
    pace.wrote(mutations, creates_content=creates_content, now=now)


def test_requests_that_create_content_go_out_a_second_apart() -> None:
    pace = Pace(Pacing())
    assert seconds(pace, after=0) == 0
    write(pace, 5, after=0)
    assert seconds(pace, after=0.25) == 0.75
    assert seconds(pace, after=1) == 0


def test_a_reaction_waits_for_none_and_none_waits_for_it() -> None:
    pace = Pace(Pacing())
    write(pace, after=0, creates_content=False)
    assert seconds(pace, after=0) == 0
    write(pace, after=0)
    assert seconds(pace, after=0, creates_content=False) == 0


def test_each_mutation_of_a_request_counts() -> None:
    pace = Pace(Pacing())
    for number in range(15):
        write(pace, 5, after=number * 2)
    assert seconds(pace, 5, after=30) == 0
    assert seconds(pace, 6, after=30) == 30  # until the first is a minute ago
    write(pace, 5, after=30)
    assert seconds(pace, 11, after=40) == 24  # and here the third
    assert seconds(pace, after=40, creates_content=False) == 20  # reactions count here
    assert seconds(pace, 5, after=60) == 0


def test_the_hour_counts_as_well() -> None:
    pace = Pace(Pacing())
    for number in range(100):
        write(pace, 5, after=number * 10)
    assert seconds(pace, after=1000) == 2600
    assert seconds(pace, after=3600) == 0


def test_a_server_without_limits_is_written_to_at_once() -> None:
    pace = Pace(Pacing(between=timedelta(0), per_minute=None, per_hour=None))
    for _ in range(10):
        write(pace, 100, after=0)
    assert seconds(pace, 100, after=0) == 0


def test_more_than_a_minute_holds_goes_out_alone() -> None:
    pace = Pace(Pacing())
    assert seconds(pace, 90, after=0) == 0
    write(pace, 90, after=0)
    assert seconds(pace, after=1) == 59


@pytest.mark.parametrize(("span", "most"), [(60, 80), (3600, 500)])
@given(requests=st.lists(st.tuples(st.integers(1, 30), st.floats(0, 20)), max_size=60))
def test_no_span_of_time_ever_holds_more(
    span: int, most: int, requests: list[tuple[int, float]]
) -> None:
    """Whoever waits as long as told keeps within GitHub's numbers."""
    pace, now = Pace(Pacing()), NOW
    sent: list[tuple[datetime, int]] = []
    for mutations, idle in requests:
        now += timedelta(seconds=idle)
        now += pace.pause(mutations, creates_content=True, now=now)
        pace.wrote(mutations, creates_content=True, now=now)
        sent.append((now, mutations))
    for end, _ in sent:
        start = end - timedelta(seconds=span)
        assert sum(count for when, count in sent if start < when <= end) <= most
