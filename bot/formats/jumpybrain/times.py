"""Moments as documents write them (spec/jumpybrain.md, "Fields")."""

from datetime import UTC, date, datetime
from typing import Final

from bot.core import timestamps

_DATE_LENGTH: Final = 10  # characters


def timestamp(now: datetime) -> str:
    """A moment in UTC with milliseconds: 2026-10-10T17:30:00.000Z."""
    return f"{now.astimezone(UTC).isoformat(timespec='milliseconds').removesuffix('+00:00')}Z"


def instant(text: str) -> datetime | None:
    """The moment that a field names; a date alone counts from its midnight in UTC, else None."""
    if len(text) != _DATE_LENGTH:
        return timestamps.instant(text)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
