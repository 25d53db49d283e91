"""One verdict for a commit that is the head of several open pull requests.

GitHub keeps check runs on the commit: whoever writes last speaks for every pull request that has
it. So what is published is the strictest verdict among them, and says what each of them came to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

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
        "it. The strictest counts:\n\n" + "\n".join(said) + f"\n\nOf pull request {number}:\n\n"
    )
    return replace(runs[number], summary=_above(head, runs[number].summary))


def _above(head: str, summary: str) -> str:
    """Text before a summary, which gives way where both are too long."""
    room = MAX_SUMMARY - len(head.encode())
    return head + summary.encode()[:room].decode("utf-8", "ignore")
