"""Which buttons stand on the check runs of a pull request: those that have something to do."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.core.buttons import APPROVE_ALL, FIX_SYNC, RECHECK, Button
from bot.core.check_run import CheckRun
from bot.core.report import BlockState, Check, Conclusion, Report

_HELD_UP: Final = (Conclusion.FAILURE, Conclusion.ACTION_REQUIRED)


def with_buttons(runs: Sequence[CheckRun], report: Report) -> tuple[CheckRun, ...]:
    """The check runs of a pull request's report with their buttons.

    A merge queue's group and the default branch have none: nothing can be committed there.
    """
    return tuple(replace(run, buttons=tuple(_buttons(run, report))) for run in runs)


def _buttons(run: CheckRun, report: Report) -> Iterator[Button]:
    if run.name == Check.MEMORY and any(change.is_proposal for change in report.changes):
        yield APPROVE_ALL
    if run.name == Check.SYNC and any(
        block.ours and block.state is BlockState.OUT_OF_STEP for block in report.blocks
    ):
        yield FIX_SYNC
    if run.conclusion in _HELD_UP:
        yield RECHECK
