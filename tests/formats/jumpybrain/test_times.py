from datetime import UTC, datetime, timedelta, timezone

from bot.formats.jumpybrain.times import instant, timestamp


def test_moments_are_written_in_utc_with_milliseconds() -> None:
    here = datetime(2026, 10, 10, 19, 30, 0, 123_999, tzinfo=timezone(timedelta(hours=2)))
    assert timestamp(here) == "2026-10-10T17:30:00.123Z"
    assert instant(timestamp(here)) == here.replace(microsecond=123_000)


def test_a_date_counts_from_its_midnight() -> None:
    assert instant("2020-01-01") == datetime(2020, 1, 1, tzinfo=UTC)
    assert instant("2020-02-30") is None
    assert instant("yesterday!") is None
    assert instant("") is None
