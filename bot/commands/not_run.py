"""What is said where a comment's commands are not even planned."""

from collections.abc import Mapping
from typing import Final

from bot.commands.outcome import Refused

EDITED: Final = "This comment was edited before it could run. Write the command again."
MOVING: Final = (
    "Nothing was changed. The branch kept moving while this was to be committed. Write the command "
    "again."
)
LATE: Final = (
    "This could not be run within an hour: GitHub could not be reached, or made me wait. Nothing "
    "was changed. Write the command again."
)
NOT_OPEN: Final = (
    "Nothing was done. This pull request is closed and was not merged. Reopen it and write the "
    "command again."
)
OTHER_HEAD: Final = (
    "Nothing was done. Something was pushed since the check that has this button. Look at the "
    "newest checks, and press the button there."
)
STANDS_ALONE: Final = (
    "This was not done: an undo of what was done last stands in a comment of its own, and so does "
    "`reappend`."
)
IN_PART: Final = "This was not done. Write the command again to hear why."


# What has no meaning once a pull request is merged.
_NOT_AFTER_MERGE: Final[Mapping[str, str]] = {
    "ack": "Nothing was done. This pull request is merged, so nothing holds it up any more.",
    "recheck": "Nothing was done. This pull request is merged, and is not reviewed any more.",
    "reappend": "Nothing was done. This pull request is merged, so it is in no conflict any more.",
    "undo": "Nothing was undone. This pull request is merged: revert the commit there.",
}


def after_merge(verb: str) -> Refused | None:
    """Why a verb is not for a merged pull request; None when it is."""
    return Refused(text=_NOT_AFTER_MERGE[verb]) if verb in _NOT_AFTER_MERGE else None


def too_many(most: int) -> str:
    """That an author's further commands are not run for a while."""
    return (
        f"Nothing was done. I run the commands of {most} comments of one author on a pull request "
        "in an hour. Write the command again later."
    )
