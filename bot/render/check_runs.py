"""The four check runs of a report: verdict, what was found, annotations on the lines concerned."""

from collections.abc import Iterator
from typing import Final, Literal

from bot.core.check_run import (
    MAX_ANNOTATION_TITLE,
    MAX_MESSAGE,
    MAX_SUMMARY,
    MAX_TEXT,
    Annotation,
    CheckRun,
)
from bot.core.model import MemoryType
from bot.core.quoting import cut
from bot.core.report import BlockState, Check, Decision, Finding, Match, Report, Weight
from bot.core.secrets import redacted
from bot.render import phrases
from bot.render.markdown import code, fenced, line, visible
from bot.render.reasons import why

DECISIONS: Final = "**Commands on this pull request**, the newest first"  # in a check's details
MAX_ANNOTATIONS: Final = 100  # a reader's limit; GitHub takes 50 a request

_LEVEL: Final[dict[Weight, Literal["failure", "warning", "notice"]]] = {
    Weight.FAILURE: "failure",
    Weight.ACTION: "warning",
    Weight.WARNING: "warning",
    Weight.NOTICE: "notice",
}


def check_runs(report: Report) -> tuple[CheckRun, ...]:
    """One finished check run for each check, in the order of Check, within GitHub's limits."""
    return tuple(_check_run(report, check) for check in Check)


def _check_run(report: Report, check: Check) -> CheckRun:
    findings = report.findings_of(check)
    placed = [finding for finding in findings if finding.path is not None]
    return CheckRun(
        name=check.value,
        conclusion=report.conclusions[check],
        title=cut(visible(phrases.title(report, check)).replace("\n", " "), 250),
        summary=_within(MAX_SUMMARY, list(_summary(report, check, findings)), end=_read(report)),
        text=_within(MAX_TEXT, list(_text(report, check))),
        annotations=tuple(_annotation(finding) for finding in placed[:MAX_ANNOTATIONS]),
    )


def _annotation(finding: Finding) -> Annotation:
    return Annotation(
        path=redacted(finding.path or ""),
        start_line=finding.line,
        end_line=finding.line,
        level=_LEVEL[finding.weight],
        title=cut(finding.rule, MAX_ANNOTATION_TITLE),
        message=cut(visible(finding.message), MAX_MESSAGE // 8),
    )


def _summary(report: Report, check: Check, findings: tuple[Finding, ...]) -> Iterator[str]:
    """What was found, the worst first."""
    for unread in report.unread_of(check):
        yield f"- **Not fully checked:** {line(unread.what)}: {line(unread.why)}"
    for finding in findings:
        where = f"{code(f'{finding.path}:{finding.line}')}: " if finding.path else ""
        yield f"- {where}{line(finding.message, 600)} ({code(finding.rule)})"
    if not findings and not report.unread_of(check):
        yield f"{line(phrases.title(report, check))}."


def _read(report: Report) -> str:
    return (
        f"\n\nRules from {line(report.base_ref, 100)} at {report.base_sha[:7]}, "
        f"change at {report.head_sha[:7]}."
    )


def _text(report: Report, check: Check) -> Iterator[str]:
    if check is Check.PRECHECK:
        for match in report.matches:
            yield _match(match)
    elif check is Check.MEMORY and report.decisions:
        yield DECISIONS
        yield ""
        yield from map(_decision, report.decisions)
    elif check is Check.SYNC:
        for block in report.blocks:
            if block.state is BlockState.OUT_OF_STEP and block.diff:
                yield f"{code(block.path)}\n\n{fenced(block.diff[:400], 'diff')}\n"


def _decision(one: Decision) -> str:
    who = code(f"@{one.actor}", 100) if one.actor else "somebody"
    may = f" ({one.permission})" if one.permission else ""
    came = f"done in {one.commit_sha[:7]}" if one.commit_sha else "done" if one.done else "refused"
    return f"- {one.at}, {who}{may}: {code(f'{one.verb} {one.refs}'.strip(), 300)}, {came}"


def _match(match: Match) -> str:
    kind = "failed attempt" if match.memory.type is MemoryType.ATTEMPT else match.memory.called
    return (
        f"- **{match.memory.ref}** ({kind}) {line(match.memory.title, 300)} · why: {why(match)}"
        f"{' · acknowledged' if match.acknowledged else ''}"
    )


def _within(limit: int, records: list[str], *, end: str = "") -> str:
    """As many records as fit into limit bytes, and a count of the rest; then the end."""
    room = limit - 100 - len(end.encode("utf-8"))  # which the count takes less of
    for index, record in enumerate(records):
        room -= len(record.encode("utf-8")) + 1
        if room < 0:
            records = [*records[:index], f"- {len(records) - index} more did not fit."]
            break
    return "\n".join(records) + end
