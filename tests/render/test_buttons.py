"""A button stands where it has something to do."""

import dataclasses
from dataclasses import replace

import pytest

from bot.core.buttons import APPROVE_ALL, FIX_SYNC, RECHECK, Button
from bot.core.model import Status
from bot.core.report import BlockState, ChangeKind, Check, MemoryChange, Report
from bot.core.verdicts import conclusions
from bot.render.buttons import with_buttons
from bot.render.check_runs import check_runs
from tests.render.test_comment import BLOCK, FAULT, MATCHES, report

PROPOSED = replace(MATCHES[0].memory, status=Status.PROPOSED)
PROPOSAL = MemoryChange(kind=ChangeKind.ADDED, path=PROPOSED.path, before=None, after=PROPOSED)
SETTLED = replace(PROPOSAL, after=replace(PROPOSED, status=Status.ACTIVE))
STALE = replace(BLOCK, state=BlockState.OUT_OF_STEP, ours=True)


def buttons(made: Report) -> dict[Check, tuple[Button, ...]]:
    full = dataclasses.replace(made, conclusions=conclusions(made.findings, made.unread))
    runs = with_buttons(check_runs(full), full)
    return {Check(run.name): run.buttons for run in runs if run.buttons}


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (report(), {}),
        (report(changes=(PROPOSAL,)), {Check.MEMORY: (APPROVE_ALL,)}),
        (report(changes=(SETTLED,)), {}),
        (report(blocks=(STALE,)), {Check.SYNC: (FIX_SYNC,)}),
        (report(blocks=(replace(STALE, ours=False),)), {}),
        (report(blocks=(replace(STALE, state=BlockState.DAMAGED),)), {}),
        (report(findings=(FAULT,)), {Check.MEMORY: (RECHECK,)}),
        (
            report(changes=(PROPOSAL,), findings=(FAULT,)),
            {Check.MEMORY: (APPROVE_ALL, RECHECK)},
        ),
    ],
    ids=[
        "nothing",
        "a proposal",
        "no proposal",
        "out of step",
        "another tool's block",
        "damaged",
        "held up",
        "both",
    ],
)
def test_buttons(made: Report, expected: dict[Check, tuple[Button, ...]]) -> None:
    assert buttons(made) == expected
