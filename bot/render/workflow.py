"""A report as commands to GitHub Actions, which shows them as annotations on the lines concerned.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions. A line that begins
with `::`, or holds `##[` anywhere, commands the runner; so other people's words stand only where
they are escaped, behind a command of ours.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from bot.core.quoting import cut
from bot.core.report import CHECK_OF, Check, Report, Weight
from bot.render import phrases
from bot.render.markdown import visible

MAX_SHOWN: Final = 10  # of each kind in a step; the log has the rest

_KIND: Final = {  # what fails the step is an error to those who look for the reason
    Weight.FAILURE: "error",
    Weight.ACTION: "error",
    Weight.WARNING: "warning",
    Weight.NOTICE: "notice",
}
_WEIGHTS: Final = tuple(Weight)
_MAX_MESSAGE: Final = 2_000  # characters
_VALUE: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY: Final = {**_VALUE, ":": "%3A", ",": "%2C"}


def workflow(report: Report) -> str:
    """One command for each thing to say, the worst first, and a line of counts; ends with \\n."""
    commands = list(_commands(report))
    return "\n".join([*(line for _, line in commands), *_summary(report, commands), ""])


def _commands(report: Report) -> Iterator[tuple[str, str]]:
    """The kind of each command, and its line."""
    for one in report.unread:
        title = f"{CHECK_OF[one.section]}: not read"
        yield "error", _command("error", f"{one.what}: {one.why}", title=title)
    for finding in sorted(report.findings, key=lambda one: _WEIGHTS.index(one.weight)):
        kind = _KIND[finding.weight]
        place = {"file": finding.path, "line": str(finding.line)} if finding.path else {}
        title = f"{CHECK_OF[finding.section]}: {finding.rule}"
        yield kind, _command(kind, finding.message, **place, title=title)


def _command(kind: str, message: str, **properties: str) -> str:
    told = ",".join(
        f"{name}={_escaped(value, _PROPERTY, limit=500)}" for name, value in properties.items()
    )
    return f"::{kind} {told}::{_escaped(message, _VALUE, limit=_MAX_MESSAGE)}"


def _escaped(text: str, escapes: dict[str, str], *, limit: int) -> str:
    return "".join(escapes.get(char, char) for char in cut(visible(text), limit))


def _summary(report: Report, commands: list[tuple[str, str]]) -> Iterator[str]:
    """Words of ours alone."""
    counts = Counter(kind for kind, _ in commands)
    kinds = [phrases.count(counts[kind], kind) for kind in ("error", "warning", "notice")]
    verdicts = ", ".join(f"{check} {report.conclusions[check]}" for check in Check)
    yield f"{verdicts}. {phrases.listed(kinds)}."
    if max(counts.values(), default=0) > MAX_SHOWN:
        yield f"GitHub shows {MAX_SHOWN} annotations of each kind; all of them stand above."
