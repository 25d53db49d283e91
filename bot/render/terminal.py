"""A report as text for a terminal or the log of a build."""

from collections.abc import Iterator

from bot.core.quoting import cut
from bot.core.report import Check, Conclusion, Match, Report
from bot.render import phrases
from bot.render.markdown import visible

_MARK = {
    Conclusion.SUCCESS: "ok",
    Conclusion.FAILURE: "FAIL",
    Conclusion.ACTION_REQUIRED: "ASKS",
    Conclusion.NEUTRAL: "--",
}


def text(report: Report) -> str:
    """The checks, what they found, and the memories that apply; ends with a line end."""
    return "\n".join([*_checks(report), *_matches(report), ""])


def _checks(report: Report) -> Iterator[str]:
    for check in Check:
        mark = _MARK[report.conclusions[check]]
        yield f"{mark:<5}{check.value:<22}{plain(phrases.title(report, check))}"
        for unread in report.unread_of(check):
            yield f"       not read: {plain(unread.what)}: {plain(unread.why)}"
        for finding in report.findings_of(check):
            where = f"{finding.path}:{finding.line}: " if finding.path else ""
            message = f"{where}{finding.message}"
            yield f"       {finding.weight}: {plain(message, 600)} [{plain(finding.rule)}]"


def _matches(report: Report) -> Iterator[str]:
    if report.matches:
        yield ""
        yield "What applies, the most binding first:"
    for match in report.matches:
        memory = match.memory
        yield f"  {memory.ref}  {memory.called:<11}{plain(memory.title)}"
        yield f"            {why(match)}"


def why(match: Match) -> str:
    """The reasons why a memory applies, on one line."""
    reasons = ["pinned"] if match.pinned else []
    if match.links:
        hit = match.links[0]
        more = f" and {len(match.links) - 1} more" if len(match.links) > 1 else ""
        reasons.append(f"links {hit.link}: {hit.path}{more}")
    if match.text:
        of_paths = match.text.of_paths
        of_text = [word for word in match.text.words if word not in of_paths]
        reasons += [f"speaks of {', '.join(of_text)}"] if of_text else []
        reasons += [f"paths speak of {', '.join(of_paths)}"] if of_paths else []
    return plain("; ".join(reasons), 400)


def plain(words: str, limit: int = 200) -> str:
    """One line without control characters: hostile text must not steer a terminal."""
    return cut(" ".join(visible(words).split()), limit)
