"""What a verdict needs from the owner of an installation, and what is said where it is missing.

An owner grants what the app asked for when it was installed; what it asks for later waits until
somebody accepts it. https://docs.github.com/en/apps/using-github-apps/approving-updated-permissions-for-a-github-app
"""

from collections.abc import Mapping
from typing import Final

from bot.core.check_run import CheckRun
from bot.core.report import Check, Conclusion

NEEDED: Final[Mapping[str, str]] = {
    "metadata": "read",
    "contents": "read",
    "pull_requests": "read",
    "checks": "write",
}
_LEVELS: Final = ("read", "write", "admin")


def missing(granted: Mapping[str, str]) -> tuple[str, ...]:
    """Each permission that is needed and not granted, such as "contents: read"."""
    return tuple(
        f"{name}: {level}"
        for name, level in NEEDED.items()
        if granted.get(name) not in _LEVELS[_LEVELS.index(level) :]
    )


def runs_without(lacking: tuple[str, ...]) -> tuple[CheckRun, ...]:
    """A failing run for each check that names the missing permissions."""
    named = ", ".join(lacking)
    return tuple(
        CheckRun(
            name=check.value,
            conclusion=Conclusion.FAILURE,
            title=f"The app lacks a permission here ({named})",
            summary=(
                f"Without `{named}` this cannot be checked. An owner grants it under "
                "Settings, GitHub Apps, Configure. Then push again or edit the description."
            ),
        )
        for check in Check
    )
