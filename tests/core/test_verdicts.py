"""How findings become conclusions: the table of the README, "How it decides"."""

import pytest

from bot.core.report import CHECK_OF, Check, Conclusion, Finding, Section, State, Unread, Weight
from bot.core.verdicts import conclusions, states


def finding(section: Section, weight: Weight) -> Finding:
    return Finding(section=section, weight=weight, rule="a-rule", message="Something.")


@pytest.mark.parametrize("section", list(Section))
@pytest.mark.parametrize(
    ("weight", "state", "conclusion"),
    [
        (Weight.FAILURE, State.FAILED, Conclusion.FAILURE),
        (Weight.ACTION, State.NOTICE, Conclusion.ACTION_REQUIRED),
        (Weight.WARNING, State.NOTICE, Conclusion.SUCCESS),
        (Weight.NOTICE, State.NOTICE, Conclusion.SUCCESS),
    ],
)
def test_a_finding_decides_its_own_check_alone(
    section: Section, weight: Weight, state: State, conclusion: Conclusion
) -> None:
    found = [finding(section, weight)]
    assert states(found, ())[section] is state
    outcome = conclusions(found, ())
    assert outcome.pop(CHECK_OF[section]) is conclusion  # type: ignore[attr-defined]  # a dict
    assert set(outcome.values()) == {Conclusion.SUCCESS}


def test_failure_outweighs_a_question() -> None:
    found = [finding(Section.MEMORY, Weight.ACTION), finding(Section.STALENESS, Weight.FAILURE)]
    assert conclusions(found, ())[Check.MEMORY] is Conclusion.FAILURE


@pytest.mark.parametrize("section", list(Section))
def test_what_could_not_be_read_is_never_a_pass(section: Section) -> None:
    unread = [Unread(section=section, what="src/big.bin", why="GitHub left it out")]
    assert states((), unread)[section] is State.INCOMPLETE
    assert conclusions((), unread)[CHECK_OF[section]] is Conclusion.FAILURE


def test_nothing_found_passes() -> None:
    assert set(states((), ()).values()) == {State.PASSED}
    assert set(conclusions((), ()).values()) == {Conclusion.SUCCESS}
