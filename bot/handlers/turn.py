"""A comment's turn: what is passed on while its commands run."""

from dataclasses import dataclass

from bot.github.installation import RepositoryAccess
from bot.store.commands import WaitingCommand
from bot.store.pulls import PullState


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Which comment of which pull request, and how GitHub is reached."""

    access: RepositoryAccess
    state: PullState
    waiting: WaitingCommand
