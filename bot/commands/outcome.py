"""What a command comes to, as a value: the caller acts on it and answers."""

from dataclasses import dataclass

from bot.core.edit_plan import EditPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Files to change. What is said of it depends on whether they can be (answers.decided)."""

    plan: EditPlan
    left: tuple[str, ...] = ()  # what was asked for and is not done, and why, each in words
    is_told: bool = False  # what is done is said, although a reaction would do


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


Outcome = Planned | Shown | Answer | Recheck | Refused
