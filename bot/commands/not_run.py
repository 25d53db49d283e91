"""What is said where a comment's commands are not even planned."""

from typing import Final

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
    "Nothing was done. This pull request is not open any more. Reopen it and write the command "
    "again; a proposal that it has merged is decided in a pull request that changes its file."
)
OTHER_HEAD: Final = (
    "Nothing was done. Something was pushed since the check that has this button. Look at the "
    "newest checks, and press the button there."
)
UNDONE_ALONE: Final = (
    "This was not done: an undo is a commit of its own. Write it in a comment of its own."
)
IN_PART: Final = "This was not done. Write the command again to hear why."


def too_many(most: int) -> str:
    """That an author's further commands are not run for a while."""
    return (
        f"Nothing was done. I run the commands of {most} comments of one author on a pull request "
        "in an hour. Write the command again later."
    )
