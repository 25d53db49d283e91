"""What a delivery means to us: what it wakes, or why nothing follows from it."""

from dataclasses import dataclass

from bot.store.commands import WaitingCommand
from bot.store.work import News


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a handler read out of a payload. Any id may be missing: payloads are not trusted."""

    installation_id: int | None = None
    repository_id: int | None = None
    news: tuple[News, ...] = ()
    command: WaitingCommand | None = None  # waits on the pull request that is woken
    ignored: str | None = None  # why nothing follows, in our words; None when something does
