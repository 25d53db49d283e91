"""When an installation may write next: GitHub stops apps that create content too fast.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How fast an installation writes. The numbers are GitHub's.

    between: from one request that creates content to the next. per_minute, per_hour: mutations, of
    which a request may hold several; None for any number.
    """

    between: timedelta = timedelta(seconds=1)
    per_minute: int | None = 80
    per_hour: int | None = 500


class Pace:
    """What an installation has written of late, and so when it may write again."""

    def __init__(self, pacing: Pacing) -> None:
        self._pacing = pacing
        self._created: datetime | None = None
        self._written: deque[tuple[datetime, int]] = deque()  # of the last hour, oldest first

    def pause(self, mutations: int, *, creates_content: bool, now: datetime) -> timedelta:
        """How long to wait before so many mutations may go out in one request; 0 for at once."""
        while self._written and self._written[0][0] + _HOUR <= now:
            self._written.popleft()
        return max((timedelta(0), *self._pauses(mutations, creates_content, now)))

    def wrote(self, mutations: int, *, creates_content: bool, now: datetime) -> None:
        """Take note of a request."""
        self._written.append((now, mutations))
        if creates_content:
            self._created = now

    def _pauses(self, mutations: int, creates_content: bool, now: datetime) -> Iterator[timedelta]:
        if creates_content and self._created is not None:
            yield self._created + self._pacing.between - now
        for span, most in ((_MINUTE, self._pacing.per_minute), (_HOUR, self._pacing.per_hour)):
            if most is None:
                continue
            recent = [(when, count) for when, count in self._written if when + span > now]
            excess = sum(count for _, count in recent) + mutations - most
            for when, count in recent:  # until enough of them is long enough ago
                if excess <= 0:
                    break
                excess -= count
                yield when + span - now
