"""The comment's headline: the verdict in words, which is also the subject of an e-mail."""

from typing import Final

from bot.core.report import (
    CitationState,
    Report,
    Section,
    StaleKind,
    Weight,
)
from bot.render import phrases
from bot.render.markdown import code
from bot.render.sections import is_to_look_at, needs_sync

_MAX_CLAUSES: Final = 3


def headline(report: Report) -> str:
    """What must be known first, the most pressing first; "" when there is nothing to say."""
    clauses = [*_troubles(report), *_news(report)]
    more = len(clauses) - _MAX_CLAUSES
    if more <= 0:
        return "; ".join(clauses)
    return "; ".join([*clauses[:_MAX_CLAUSES], f"and {phrases.count(more, 'more point')}"])


def _troubles(report: Report) -> list[str]:
    """What stands in the way of a merge, and what binds."""
    failing = [finding for finding in report.findings if finding.weight is Weight.FAILURE]
    leaked = sum(finding.section is Section.SECRETS for finding in failing)
    faults = sum(finding.section is Section.MEMORY for finding in failing)
    asked = phrases.weighing(report, Section.APPLIES, Weight.ACTION)
    clauses = []
    if report.unread:
        clauses.append("this change could not be fully checked")
    if leaked:
        clauses.append(f"{phrases.count(leaked, 'secret')} to revoke")
    if asked:
        clauses.append(f"{phrases.count(asked, 'constraint')} must be cited")
    if applies := phrases.applies(report.matches):
        clauses.append(applies)
    if faults:
        clauses.append(f"{phrases.count(faults, 'fault')} in memory files")
    return clauses


def _news(report: Report) -> list[str]:
    """What this change does to the memory, and what is left to do after it."""
    clauses = []
    if waiting := len(phrases.proposals(report)):
        verb = "waits" if waiting == 1 else "wait"
        clauses.append(f"{phrases.count(waiting, 'proposal')} {verb} for a maintainer")
    settled = [change for change in report.changes if not change.is_proposal]
    if changed := phrases.listed(phrases.changed(settled)):
        clauses.append(changed)
    if broken := [code(block.path, 100) for block in report.blocks if needs_sync(block)]:
        verb = "is" if len(broken) == 1 else "are"
        clauses.append(f"{phrases.listed(broken)} {verb} out of date")
    if doubtful := sum(stale.kind is StaleKind.LINK_GONE for stale in report.stale):
        clauses.append(f"{phrases.count(doubtful, 'link')} of memories to mend")
    looks = sum(is_to_look_at(finding) for finding in report.findings)
    if not clauses and any(one.state is not CitationState.KNOWN for one in report.citations):
        clauses.append("a citation to look at")
    elif looks:
        clauses.append(f"{phrases.count(looks, 'point')} to look at")
    return clauses
