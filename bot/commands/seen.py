"""What is said when a command would decide on something that its sender cannot have seen."""

from collections.abc import Sequence

from bot.render.markdown import code
from bot.render.phrases import listed

_MAX_PATHS = 5

NOT_SHOWN_YET = (
    "Nothing was changed. I had not shown anything of this pull request when you wrote. "
    "Look at the comment and the checks, then write the command again."
)


def other_base(seen: str, now: str) -> str:
    """That a pull request is for another branch than what could be seen was about."""
    return (
        f"Nothing was changed. This pull request was for {code(seen)} when you wrote, and is for "
        f"{code(now)} now. Look at the comment and the checks again, then ask again."
    )


def changed_since(paths: Sequence[str], seen: str) -> str:
    """That files are not what they were at the last head that could be seen."""
    names = [code(path) for path in paths[:_MAX_PATHS]]
    if len(paths) > _MAX_PATHS:
        names.append(f"{len(paths) - _MAX_PATHS} more")
    verb = "has" if len(paths) == 1 else "have"
    return (
        f"Nothing was changed. {listed(names)} {verb} changed since {seen[:7]}, the last version "
        "that I had shown when you wrote. Read the new one, then write the command again."
    )
