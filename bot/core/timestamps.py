"""ISO 8601 timestamps as memories write them (spec/memoryrail.md, "Timestamps")."""

import re
from datetime import UTC, datetime
from typing import Final

_TIMESTAMP: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?",
    re.ASCII,
)


def instant(text: str) -> datetime | None:
    """The moment that a timestamp names, with its zone; UTC where it names none.

    A date alone is no moment. None for anything else, days that do not exist included.
    """
    if not _TIMESTAMP.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper().replace(" ", "T", 1))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
