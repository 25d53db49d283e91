"""What the checks say when it is us who failed: never silence, as a required check would wait."""

from bot.core.check_run import CheckRun
from bot.core.report import Check, Conclusion
from bot.store.pulls import Failure


def runs_after(failure: Failure, *, remedy: str) -> tuple[CheckRun, ...]:
    """A failing run for each check, with the id that finds the log.

    remedy: a sentence that says how to have it checked anew.
    """
    return tuple(
        CheckRun(
            name=check.value,
            conclusion=Conclusion.FAILURE,
            title=f"The bot could not check this (request {failure.request_id})",
            summary=(
                f"Something went wrong on our side, several times. {remedy} The operator finds "
                f"the reason in the log under request `{failure.request_id}`."
            ),
        )
        for check in Check
    )
