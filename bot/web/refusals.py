"""Refused requests in the log: enough to find the cause, too little for a flood to fill the disk.

A line names the reason, the delivery and the sender, never what was sent.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)

PAUSE: Final = 10.0  # seconds between two lines with the same reason


class Refusals:
    """Writes a warning for a refused request, one of a kind in PAUSE."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: gives seconds."""
        self._clock = clock
        self._last: dict[str, float] = {}  # reason -> when it was last written
        self._held: dict[str, int] = {}  # reason -> lines held back since then

    def note(self, reason: str, *, guid: str, address: str) -> None:
        """Write it down, or count it for the next line of its kind.

        reason: one of few texts of ours. guid, address: of the delivery and its sender.
        """
        now = self._clock()
        if now - self._last.get(reason, -PAUSE) < PAUSE:
            self._held[reason] = self._held.get(reason, 0) + 1
            return
        self._last[reason] = now
        held = self._held.pop(reason, 0)
        more = f" ({held} more since the last such line)" if held else ""
        log.warning("refused delivery %s from %s: %s%s", guid, address, reason, more)
