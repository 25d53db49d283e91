"""A comment's turn: what is passed on while its commands run, and how long it may wait."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.github.installation import RepositoryAccess
from bot.store.commands import WaitingCommand
from bot.store.pulls import PullState

# What a maintainer wrote is not done when they have long gone on to other things. The longest
# rate limit lasts an hour.
PATIENCE: Final = timedelta(hours=1)
# That it was not done is to be said, however late that can be; but not for ever: the repository may
# be gone.
LAST_WORD: Final = 2 * PATIENCE
LONGEST_PAUSE: Final = timedelta(minutes=5)  # between attempts
_MAX_DOUBLINGS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Which comment of which pull request, and how GitHub is reached."""

    access: RepositoryAccess
    state: PullState
    waiting: WaitingCommand

    @property
    def name(self) -> str:
        """What tells the comment, as it reads now, from every other one."""
        return f"{self.waiting.comment} {self.waiting.digest}"


def is_late(waiting: WaitingCommand) -> bool:
    """Whether a comment has waited too long for its commands to run."""
    return waited(waiting) >= PATIENCE


def is_past_words(waiting: WaitingCommand) -> bool:
    """Whether it could not be said either, in all the time that there was for that."""
    return waited(waiting) >= LAST_WORD


def waited(waiting: WaitingCommand) -> timedelta:
    """How long a comment has waited for its turn."""
    return timedelta(milliseconds=now_ms() - waiting.received_ms)


def pause_after(attempts: int, shortest: timedelta) -> timedelta:
    """How long to wait before the next attempt: twice as long each time."""
    return min(shortest * (1 << min(attempts, _MAX_DOUBLINGS)), LONGEST_PAUSE)


def now_ms() -> int:
    """The time in Unix milliseconds."""
    return int(datetime.now(UTC).timestamp() * 1000)
