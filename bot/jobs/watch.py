"""Who wants to hear how jobs go, for figures: the worker tells, and asks nothing."""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

from bot.store.pulls import PullKey


class Ending(StrEnum):
    """What became of one attempt at a job."""

    DONE = "done"
    RETRIED = "retried"  # it failed and is tried again
    LIMITED = "limited"  # it waits, for GitHub's limit or a newer head
    GIVEN_UP = "given_up"


class Watch(Protocol):
    """Hears of each attempt, and of each delivery that waited for one."""

    def attempted(self, key: PullKey, ending: Ending, *, took: timedelta) -> None:
        """Hear that an attempt has ended."""

    def settled(self, key: PullKey, waited: Sequence[timedelta]) -> None:
        """Hear how long each delivery has waited, from its arrival to what is published."""


class Nobody:
    """A watch that does not listen."""

    def attempted(self, key: PullKey, ending: Ending, *, took: timedelta) -> None:
        """Do nothing."""

    def settled(self, key: PullKey, waited: Sequence[timedelta]) -> None:
        """Do nothing."""
