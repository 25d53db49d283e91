"""GitHub's primary limits: so many requests an hour for each installation, and for each app.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

HOURLY_LIMIT: Final = 5_000
_WINDOW: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """What one caller has used of one limit. reset: when the count begins anew."""

    resource: str
    limit: int
    used: int
    reset: datetime

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.limit

    @property
    def headers(self) -> dict[str, str]:
        """As every answer has them."""
        return {
            "x-ratelimit-limit": str(self.limit),
            "x-ratelimit-remaining": str(self.remaining),
            "x-ratelimit-used": str(self.used),
            "x-ratelimit-resource": self.resource,
            "x-ratelimit-reset": str(int(self.reset.timestamp())),
        }


class Rates:
    """Counts requests by caller and resource. limit: requests (or points) an hour."""

    def __init__(self, now: Callable[[], datetime], *, limit: int = HOURLY_LIMIT) -> None:
        self._now, self.limit = now, limit
        self._counted: dict[tuple[str, str], Rate] = {}

    def look(self, caller: str, resource: str) -> Rate:
        """What a caller has used, without counting."""
        known = self._counted.get((caller, resource))
        if known is not None and known.reset > self._now():
            return known
        reset = self._now() + _WINDOW
        return Rate(resource=resource, limit=self.limit, used=0, reset=reset)

    def count(self, caller: str, resource: str) -> Rate:
        """Count one request more. What goes beyond the limit is refused, and not counted on."""
        known = self.look(caller, resource)
        used = min(known.used, self.limit) + 1
        rate = Rate(resource=resource, limit=self.limit, used=used, reset=known.reset)
        self._counted[caller, resource] = rate
        return rate
