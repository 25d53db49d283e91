"""From what a review found to how each section and each required check comes out."""

from collections.abc import Mapping, Sequence

from bot.core.report import (
    CHECK_OF,
    Check,
    Conclusion,
    Finding,
    Section,
    State,
    Unread,
    Weight,
)


def states(findings: Sequence[Finding], unread: Sequence[Unread]) -> Mapping[Section, State]:
    """How each section came out. What could not be read outweighs what was found."""
    return {section: _state(section, findings, unread) for section in Section}


def conclusions(
    findings: Sequence[Finding], unread: Sequence[Unread]
) -> Mapping[Check, Conclusion]:
    """One conclusion for each check: never a success when something could not be read."""
    outcome = states(findings, unread)
    return {check: _conclusion(check, findings, outcome) for check in Check}


def _state(section: Section, findings: Sequence[Finding], unread: Sequence[Unread]) -> State:
    weights = {finding.weight for finding in findings if finding.section is section}
    if any(one.section is section for one in unread):
        return State.INCOMPLETE
    if Weight.FAILURE in weights:
        return State.FAILED
    return State.NOTICE if weights else State.PASSED


def _conclusion(
    check: Check, findings: Sequence[Finding], outcome: Mapping[Section, State]
) -> Conclusion:
    mine = [section for section in Section if CHECK_OF[section] is check]
    if any(outcome[section] in {State.INCOMPLETE, State.FAILED} for section in mine):
        return Conclusion.FAILURE
    asks = any(one.weight is Weight.ACTION and one.section in mine for one in findings)
    return Conclusion.ACTION_REQUIRED if asks else Conclusion.SUCCESS
