"""Several pull requests, one commit: the strictest verdict counts, and each is named."""

from dataclasses import replace

import pytest

from bot.core.buttons import APPROVE_ALL, RECHECK
from bot.core.check_run import MAX_SUMMARY, CheckRun
from bot.core.report import Conclusion
from bot.render.combined import combined, too_many

PASS = CheckRun(
    name="memoryrail/memory", conclusion=Conclusion.SUCCESS, title="Fine", summary="All is well."
)


def run(conclusion: Conclusion) -> CheckRun:
    return replace(PASS, conclusion=conclusion, title=f"It is {conclusion}", summary="Because.")


def test_one_pull_request_speaks_for_itself() -> None:
    assert combined({12: (PASS,)}) == (PASS,)


@pytest.mark.parametrize(
    ("strict", "lax"),
    [
        (Conclusion.FAILURE, Conclusion.ACTION_REQUIRED),
        (Conclusion.ACTION_REQUIRED, Conclusion.SUCCESS),
        (Conclusion.SUCCESS, Conclusion.NEUTRAL),
    ],
)
def test_the_stricter_counts_whoever_comes_first(strict: Conclusion, lax: Conclusion) -> None:
    for first, second in ((strict, lax), (lax, strict)):
        (one,) = combined({12: (run(first),), 7: (run(second),)})
        number = 12 if first is strict else 7
        assert one.conclusion == strict
        assert one.title == f"Pull request {number}: It is {strict}"


def test_no_button_decides_on_one_of_several() -> None:
    held_up = replace(run(Conclusion.FAILURE), buttons=(APPROVE_ALL, RECHECK))
    (one,) = combined({12: (held_up,), 7: (PASS,)})
    assert one.buttons == (RECHECK,)


def test_the_summary_names_each_with_its_own_verdict() -> None:
    (one,) = combined({12: (run(Conclusion.FAILURE),), 7: (PASS,)})
    assert one.summary == (
        "This commit is the head of several open pull requests, and GitHub keeps one verdict for "
        "it. The strictest counts:\n\n"
        "- pull request 7: success, Fine\n"
        "- pull request 12: failure, It is failure\n\n"
        "Where one must not hold up another, close it, or push a commit to either: each is then "
        "judged by itself.\n\n"
        "Of pull request 12:\n\nBecause."
    )


def test_where_all_come_to_the_same_no_number_stands_in_the_title() -> None:
    (one,) = combined({12: (PASS,), 7: (PASS,)})
    assert one.title == "Fine"


def test_each_check_has_its_own_strictest() -> None:
    other = replace(PASS, name="memoryrail/sync")
    fails = replace(other, conclusion=Conclusion.FAILURE)
    runs = combined({1: (run(Conclusion.FAILURE), other), 2: (PASS, fails)})
    assert [one.conclusion for one in runs] == [Conclusion.FAILURE] * 2


def test_more_than_are_reviewed_never_pass() -> None:
    (one,) = too_many((PASS,), 11)
    assert one.conclusion is Conclusion.FAILURE
    assert "11 open pull requests" in one.summary


def test_a_long_summary_stays_within_the_limit() -> None:
    long = replace(PASS, summary="ü" * (MAX_SUMMARY // 2))
    for (one,) in (combined({1: (long,), 2: (long,)}), too_many((long,), 11)):
        assert len(one.summary.encode()) <= MAX_SUMMARY
