"""What a command comes to, as a value: the caller acts on it and answers."""

from dataclasses import dataclass

from bot.core.edit_plan import EditPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Files to change. What is said of it depends on whether they can be (answers.decided)."""

    plan: EditPlan


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


Outcome = Planned | Answer | Recheck | Refused
