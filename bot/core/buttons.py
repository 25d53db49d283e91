"""The buttons on our check runs. A press does what a command does; it is not written as a comment.

GitHub shows them to whoever may write to the repository, and sends what was pressed to the app.
https://docs.github.com/en/rest/checks/runs#create-a-check-run
"""

from dataclasses import dataclass
from typing import Final

MAX_BUTTONS: Final = 3  # of one check run


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button, in GitHub's words an action of a check run."""

    identifier: str  # at most 20 characters
    label: str  # at most 20 characters
    description: str  # at most 40 characters
    command: str  # what it does, as in a comment, but for the name in front


APPROVE_ALL: Final = Button(
    identifier="approve-all",
    label="Approve all",
    description="Make all proposals here active",
    command="approve all",
)
FIX_SYNC: Final = Button(
    identifier="sync",
    label="Fix sync blocks",
    description="Bring the generated blocks into step",
    command="sync",
)
RECHECK: Final = Button(
    identifier="recheck",
    label="Re-check",
    description="Review this pull request again",
    command="recheck",
)
BUTTONS: Final = (APPROVE_ALL, FIX_SYNC, RECHECK)
