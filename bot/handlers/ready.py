"""The success that stands on a default branch from the beginning.

GitHub offers a check to be required only where it has run in the last seven days.
https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks
"""

from typing import Final

from bot.core.check_run import CheckRun
from bot.core.report import Check, Conclusion

RUNS: Final = tuple(
    CheckRun(
        name=check.value,
        conclusion=Conclusion.SUCCESS,
        title="Ready: pull requests are checked from now on",
        summary=(
            "Nothing was checked here. This success makes the check known, so that it can be "
            "chosen as required under Settings, Rules."
        ),
    )
    for check in Check
)
