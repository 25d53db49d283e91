"""One verdict for a commit that is the head of several open pull requests.

GitHub keeps check runs on the commit: whoever writes last speaks for every pull request that has
it. So what is published is the strictest verdict among them, and says what each of them came to.

Anyone may open such a pull request, a stranger from a fork too, and hold the others up by it, but
never let one pass. To leave a stranger's out would be worse: it could be merged under the others'
verdict, which knows nothing of its base, and nobody would see it. To leave it out only where the
base is the same would not help, as one with another base is as quickly opened. So all count, the
title names the one that holds the rest up, and what it held up is free when it is closed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.core.buttons import RECHECK
from bot.core.check_run import MAX_SUMMARY, CheckRun
from bot.core.report import Conclusion
from bot.render.markdown import line

MAX_PULLS: Final = 10  # of one head that are reviewed; with more, no verdict is a pass
_STRICTEST_FIRST: Final = (
    Conclusion.FAILURE,
    Conclusion.ACTION_REQUIRED,
    Conclusion.SUCCESS,
    Conclusion.NEUTRAL,
)


def combined(verdicts: Mapping[int, Sequence[CheckRun]]) -> tuple[CheckRun, ...]:
    """The strictest check run of each name; the lowest number's where several are as strict.

    verdicts: number of each pull request -> its check runs, the same names in the same order.
    One pull request's own verdicts are given as they are.
    """
    if len(verdicts) < 2:
        return tuple(run for runs in verdicts.values() for run in runs)
    numbers = sorted(verdicts)
    return tuple(
        _strictest(dict(zip(numbers, runs, strict=True)))
        for runs in zip(*(verdicts[number] for number in numbers), strict=True)
    )


def too_many(runs: Sequence[CheckRun], count: int) -> tuple[CheckRun, ...]:
    """The same runs as failures: count pull requests share the head, and not all were reviewed."""
    why = (
        f"{count} open pull requests have this commit as their head, and no more than "
        f"{MAX_PULLS} are reviewed. Close those that are not needed."
    )
    return tuple(
        replace(
            run,
            conclusion=Conclusion.FAILURE,
            title=f"Too many pull requests share this commit ({count})",
            summary=_above(f"- **Not fully checked:** {why}\n", run.summary),
        )
        for run in runs
    )


def _strictest(runs: Mapping[int, CheckRun]) -> CheckRun:
    number = min(runs, key=lambda one: (_STRICTEST_FIRST.index(runs[one].conclusion), one))
    said = [
        f"- pull request {one}: {run.conclusion.replace('_', ' ')}, {line(run.title)}"
        for one, run in runs.items()
    ]
    head = (
        "This commit is the head of several open pull requests, and GitHub keeps one verdict for "
        "it. The strictest counts:\n\n"
        + "\n".join(said)
        + "\n\nWhere one must not hold up another, "
        "close it, or push a commit to either: each is then judged by itself.\n\n"
        f"Of pull request {number}:\n\n"
    )
    strictest = replace(
        runs[number],
        summary=_above(head, runs[number].summary),
        # Of the others nobody could tell on which pull request they would decide.
        buttons=tuple(one for one in runs[number].buttons if one is RECHECK),
    )
    if len({run.conclusion for run in runs.values()}) == 1:
        return strictest
    return replace(strictest, title=f"Pull request {number}: {strictest.title}")


def _above(head: str, summary: str) -> str:
    """Text before a summary, which gives way where both are too long."""
    room = MAX_SUMMARY - len(head.encode())
    return head + summary.encode()[:room].decode("utf-8", "ignore")
