"""The review: a pull request's snapshot in, a report out. Every rule is applied here and below.

The bot, the command line and the sandbox all call it; none of them has rules of its own.
"""

from collections.abc import Iterator, Sequence

from bot.core.append_only import append_only_findings
from bot.core.blocks import block_changes, block_findings
from bot.core.citations import citation_findings, citations
from bot.core.format_findings import format_findings
from bot.core.leaks import leak_findings, leaks
from bot.core.lifecycle import lifecycle_findings
from bot.core.memory_changes import memory_changes
from bot.core.model import MemoryType
from bot.core.precheck import Index
from bot.core.report import (
    Citation,
    CitationState,
    Finding,
    Match,
    MemoryChange,
    Report,
    Section,
    Weight,
)
from bot.core.snapshot import Snapshot
from bot.core.staleness import stale_findings, stale_memories
from bot.core.verdicts import conclusions, states

_SECTIONS = tuple(Section)
_WEIGHTS = tuple(Weight)


def review(snapshot: Snapshot, index: Index | None = None) -> Report:
    """Judge a pull request by what its base branch says. Equal snapshots give equal reports.

    index: of the base's stores, where one is at hand; making one takes longer than all the rest.
    """
    matches = _matches(snapshot, index or Index(snapshot.base.stores))
    cited = citations(snapshot)
    secrets, unscanned = leaks(snapshot)
    changes = memory_changes(snapshot)
    blocks, unread_files = block_changes(snapshot, changes)
    stale = stale_memories(snapshot)
    findings = _ordered(
        [
            *_match_findings(matches, cited, snapshot),
            *citation_findings(cited),
            *leak_findings(secrets, snapshot),
            *format_findings(snapshot),
            *lifecycle_findings(snapshot, changes),
            *append_only_findings(snapshot),
            *_waiting(changes, snapshot),
            *block_findings(blocks),
            *stale_findings(stale),
        ]
    )
    unread = tuple(dict.fromkeys((*snapshot.unread, *unscanned, *unread_files)))
    return Report(
        base_sha=snapshot.base.sha,
        base_ref=snapshot.pull.base_ref,
        head_sha=snapshot.head.sha,
        has_stores=bool(snapshot.base.stores or snapshot.head.stores),
        memories_read=sum(len(store.active) for store in snapshot.base.stores),
        matches=matches,
        citations=cited,
        secrets=secrets,
        changes=changes,
        blocks=blocks,
        stale=stale,
        decisions=snapshot.decisions,
        findings=findings,
        unread=unread,
        states=states(findings, unread),
        conclusions=conclusions(findings, unread),
    )


def _matches(snapshot: Snapshot, index: Index) -> tuple[Match, ...]:
    """Precheck by the base's memories; files of memories are not what a memory is about."""

    def is_code(path: str) -> bool:
        return snapshot.base.memory_file(path) is None and snapshot.head.memory_file(path) is None

    return index.matches(
        [file.path for file in snapshot.files if is_code(file.path)],
        f"{snapshot.pull.title}\n{snapshot.pull.body}",
        history=snapshot.history,
        old_paths=[path for file in snapshot.files for path in file.paths[1:] if is_code(path)],
        thresholds=snapshot.settings.thresholds,
        acknowledged=snapshot.acknowledged,
    )


def _match_findings(
    matches: Sequence[Match], cited: Sequence[Citation], snapshot: Snapshot
) -> Iterator[Finding]:
    """Constraints and failed attempts at the first changed line that they cover."""
    known = {one.memory.id for one in cited if one.state is CitationState.KNOWN and one.memory}
    lines = {file.path: file.added[0].start for file in snapshot.files if file.added}
    for match in matches:
        if match.acknowledged:
            continue
        memory = match.memory
        if memory.type is MemoryType.CONSTRAINT and _must_be_cited(match, snapshot):
            if memory.id not in known:
                yield Finding(
                    section=Section.APPLIES,
                    weight=Weight.ACTION,
                    rule="uncited-constraint",
                    message=f"{memory.ref} ({memory.title}) binds this change. Cite it as "
                    f"[per {memory.ref}] in the description or a commit's message, and say how "
                    "the change keeps to it.",
                )
        elif memory.type in {MemoryType.CONSTRAINT, MemoryType.ATTEMPT} and match.links:
            hit = match.links[0]
            says = "binds" if memory.type is MemoryType.CONSTRAINT else "failed before at"
            yield Finding(
                section=Section.APPLIES,
                weight=Weight.NOTICE,
                rule=memory.ref,
                message=f"{memory.title} ({memory.called} {memory.ref}, {says} {hit.link}).",
                path=hit.path,
                line=lines.get(hit.path, 1),
            )


def _must_be_cited(match: Match, snapshot: Snapshot) -> bool:
    required = snapshot.settings.require_citation
    return required == "all" or (required == "pinned" and match.memory.pinned)


def _waiting(changes: Sequence[MemoryChange], snapshot: Snapshot) -> Iterator[Finding]:
    """Proposals that settings want decided before the merge."""
    for change in changes:
        after = change.after
        if snapshot.settings.require_decision and after and change.is_proposal:
            yield Finding(
                section=Section.MEMORY,
                weight=Weight.ACTION,
                rule="proposal-waiting",
                message=f"{after.ref} ({after.title}) waits for a maintainer's decision.",
                path=change.path,
                line=after.lines.get("status", 1),
            )


def _ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """By section, then the weightiest first, then by place."""
    return tuple(
        sorted(
            findings,
            key=lambda one: (
                _SECTIONS.index(one.section),
                _WEIGHTS.index(one.weight),
                one.path or "",
                one.line,
                one.rule,
                one.message,
            ),
        )
    )
