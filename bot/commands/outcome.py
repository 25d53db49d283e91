"""What a command comes to, as a value: the caller acts on it and answers."""

from dataclasses import dataclass

from bot.core.edit_plan import EditPlan
from bot.core.kept import Kept
from bot.core.model import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Files to change. What is said of it depends on whether they can be (answers.decided)."""

    plan: EditPlan
    left: tuple[str, ...] = ()  # what was asked for and is not done, and why, each in words
    is_told: bool = False  # what is done is said, although a reaction would do


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """Memories that apply, and that are accepted on this pull request. No file changes."""

    memories: tuple[Memory, ...]  # as the base has them
    reason: str  # one line that is safe to keep and to show; "" for none


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Findings that are no secrets, in this repository from now on. No file changes."""

    fingerprints: tuple[str, ...]  # keyed, as the review gave them


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """What was kept without a commit, and holds no more. No file changes."""

    kept: tuple[Kept, ...]
    words: tuple[str, ...]  # how a command would name it
    is_told: bool  # what it is has to be said, since nobody named it


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A dry run: what would be done. Nothing is."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A question, answered."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """The pull request is to be reviewed again, from what GitHub has now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing is done. text says why, and what to do."""

    text: str


Outcome = Planned | Acknowledged | Ignored | TakenBack | Shown | Answer | Recheck | Refused
