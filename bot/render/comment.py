"""The one comment on a pull request.

Its readers: a maintainer between two meetings, the author, an agent that acts next. Each finds
without scrolling whether something binds this change, whether it was tried before, and what is
asked of them; the rest is folded. Nothing to say gives no comment.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from bot.core.comment import MAX_COMMENT
from bot.core.model import Memory, MemoryType, Status
from bot.core.report import (
    BlockChange,
    BlockState,
    CitationState,
    Finding,
    Match,
    Report,
    SecretHit,
    Section,
    StaleKind,
    StaleMemory,
    Weight,
)
from bot.render import marker, phrases
from bot.render.markdown import cell, code, excerpt, fenced, html, line
from bot.render.reasons import because

_MAX_CLAUSES: Final = 3  # of the headline, which is also the subject of an e-mail
_BUDGET: Final = MAX_COMMENT - 2_000  # leaves room for the count of what is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the pull request is, for links; url is the repository's page, "" for none."""

    url: str
    number: int


def comment(report: Report, place: Place, previous: str | None = None) -> str | None:
    """The comment's body for a report; None when there is nothing to say and nothing was said.

    previous: the body of the comment as it stands. What it did not show is marked as new, and where
    nothing is left of it the new body says so.
    """
    shown = marker.following(
        marker.read(previous),
        head=report.head_sha,
        refs=tuple(match.memory.ref for match in report.matches),
    )
    clauses = _clauses(report)
    if not clauses and previous is None:
        return None
    headline = _headline(clauses) or "nothing applies to this change any more"
    known = None if shown.before is None else frozenset(shown.before)
    top = f"{marker.write(shown)}\n### MemoryRail: {headline}"
    return _fit(top, _groups(report, place, known), _last_line(report))


def _clauses(report: Report) -> list[str]:
    """What the headline says, the most pressing first."""
    failing = [finding for finding in report.findings if finding.weight is Weight.FAILURE]
    leaked = sum(finding.section is Section.SECRETS for finding in failing)
    faults = sum(finding.section is Section.MEMORY for finding in failing)
    clauses = []
    if report.unread:
        clauses.append("this change could not be fully checked")
    if leaked:
        clauses.append(f"{phrases.count(leaked, 'secret')} to revoke")
    if applies := phrases.applies(report):
        clauses.append(applies)
    if faults:
        clauses.append(f"{phrases.count(faults, 'fault')} in memory files")
    if waiting := len(phrases.proposals(report)):
        verb = "waits" if waiting == 1 else "wait"
        clauses.append(f"{phrases.count(waiting, 'proposal')} {verb} for a maintainer")
    broken = [block.path for block in report.blocks if _needs_sync(block)]
    if broken:
        verb = "is" if len(broken) == 1 else "are"
        clauses.append(f"{phrases.listed(broken)} {verb} out of date")
    doubtful = [stale for stale in report.stale if stale.kind is StaleKind.LINK_GONE]
    if doubtful:
        clauses.append(f"{phrases.count(len(doubtful), 'link')} of memories to mend")
    if not clauses and any(one.state is not CitationState.KNOWN for one in report.citations):
        clauses.append("a citation to look at")
    return clauses


def _headline(clauses: list[str]) -> str:
    more = len(clauses) - _MAX_CLAUSES
    shown = clauses[:_MAX_CLAUSES] if more > 0 else clauses
    return "; ".join([*shown, f"and {phrases.count(more, 'more point')}"] if more > 0 else shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Records under one heading; folded ones show their heading only."""

    heading: str
    records: tuple[str, ...]
    folded: bool = False
    end: str = ""


def _groups(report: Report, place: Place, known: frozenset[str] | None) -> Iterator[_Group]:
    failing = [one for one in report.findings if one.weight is Weight.FAILURE]
    asked = [one for one in report.findings if one.weight is Weight.ACTION]
    binding = [one for one in report.matches if one.memory.type is MemoryType.CONSTRAINT]
    failed = [one for one in report.matches if one.memory.type is MemoryType.ATTEMPT]
    rest = [one for one in report.matches if one not in binding and one not in failed]
    yield _Group(
        heading="**Not fully checked**",
        records=tuple(f"- {line(one.what)}: {line(one.why)}" for one in report.unread),
    )
    yield _Group(
        heading="**Secrets to revoke**",
        records=tuple(_secret(one) for one in report.secrets if _fails(one, failing)),
        end="Taking a secret out of the files does not help: it stays in the history. Revoke it.",
    )
    yield _Group(heading="", records=tuple(_full(one, report, place, known) for one in binding))
    yield _Group(
        heading="**Tried before, and failed**",
        records=tuple(_full(one, report, place, known) for one in failed),
        end="If there is a new reason to try again, say so in the description." if failed else "",
    )
    yield _Group(
        heading="**Asked of you**",
        records=tuple(f"- {line(one.message, 600)}" for one in asked),
    )
    yield _Group(
        heading="**To mend in memory files**",
        records=tuple(_fault(one) for one in failing if one.section is Section.MEMORY),
    )
    yield _waiting(report, place)
    yield from _folded(report, place, known, rest)


def _folded(
    report: Report, place: Place, known: frozenset[str] | None, rest: list[Match]
) -> Iterator[_Group]:
    types = [match.memory.type for match in rest]
    yield _Group(
        heading=f"{phrases.types_in_words(types)} {'touches' if len(rest) == 1 else 'touch'} "
        "the same matter",
        records=tuple(_short(one, report, place, known) for one in rest),
        folded=True,
    )
    for block in report.blocks:
        if _needs_sync(block):
            yield _block(block, report)
    yield _Group(
        heading=f"{phrases.count(len(report.stale), 'memory', 'memories')} may be stale after "
        "this change",
        records=tuple(_stale(one) for one in report.stale),
        folded=True,
    )
    doubtful = [one for one in report.citations if one.state is not CitationState.KNOWN]
    yield _Group(
        heading=f"{phrases.count(len(doubtful), 'citation')} to look at",
        records=tuple(
            f"- {line(finding.message, 400)}"
            for finding in report.findings
            if finding.section is Section.CITATIONS and finding.weight is Weight.WARNING
        ),
        folded=True,
    )
    older = [one for one in report.findings if _is_older_fault(one)]
    yield _Group(
        heading=f"{phrases.count(len(older), 'older fault')} in memory files, not caused here",
        records=tuple(_fault(one) for one in older),
        folded=True,
    )


def _full(match: Match, report: Report, place: Place, known: frozenset[str] | None) -> str:
    """A memory that binds, or an attempt that failed: all that is needed to act on it."""
    memory = match.memory
    tags = " · ".join(_tags(match, known))
    rows = [f"**{memory.ref}** · {tags}{' · ' if tags else ''}{line(memory.title, 300)}"]
    rows.append(f"because {'; '.join(because(match))}")
    if text := excerpt(memory.body):
        rows += ["", text]
    links = [_read_it(memory, report.base_sha, place), f"cite as `[per {memory.ref}]`"]
    rows += ["", " · ".join([*_since(memory), *filter(None, links)])]
    return "\n".join(f"> {row}".rstrip() for row in rows)


def _short(match: Match, report: Report, place: Place, known: frozenset[str] | None) -> str:
    memory = match.memory
    tail = " · ".join(
        filter(None, [*_tags(match, known), _read_it(memory, report.base_sha, place)])
    )
    return (
        f"- **{memory.ref}** · {line(memory.title, 300)}, because {'; '.join(because(match))}"
        f"{f' · {tail}' if tail else ''}"
    )


def _tags(match: Match, known: frozenset[str] | None) -> Iterator[str]:
    if match.pinned:
        yield "pinned"
    if known is not None and match.memory.ref not in known:
        yield "new"


def _since(memory: Memory) -> Iterable[str]:
    day = memory.created[:10]
    return [f"since {day}"] if len(day) == 10 and day.replace("-", "").isdecimal() else []


def _read_it(memory: Memory, sha: str, place: Place) -> str:
    return f"[read it]({place.url}/blob/{sha}/{quote(memory.path)})" if place.url else ""


def _secret(hit: SecretHit) -> str:
    commit = f", added by {hit.commit[:7]}" if hit.commit else ""
    gone = "" if hit.at_head else ", removed by a later commit"
    return (
        f"- {line(hit.description)} in {code(f'{hit.path}:{hit.line}')}{commit}{gone} "
        f"(rule {code(hit.rule)}, fingerprint `{hit.fingerprint}`)"
    )


def _fails(hit: SecretHit, failing: list[Finding]) -> bool:
    return any(hit.fingerprint in one.message for one in failing if one.rule == hit.rule)


def _fault(finding: Finding) -> str:
    where = f"{code(f'{finding.path}:{finding.line}')}: " if finding.path else ""
    return f"- {where}{line(finding.message, 600)}"


def _waiting(report: Report, place: Place) -> _Group:
    rows = []
    for change in report.changes:
        memory = change.after
        if memory is None or memory.status is not Status.PROPOSED:
            continue
        replaces = f" (replaces {code(memory.supersedes)})" if memory.supersedes else ""
        anchor = hashlib.sha256(change.path.encode("utf-8", "surrogatepass")).hexdigest()
        diff = f"[diff]({place.url}/pull/{place.number}/files#diff-{anchor})" if place.url else ""
        author = "an agent" if change.by_agent else "a person"
        rows.append(f"| {memory.ref} | {cell(memory.title)}{replaces} | {author} | {diff} |")
    heading = "**Waits for a maintainer** (proposed by this pull request)\n\n"
    heading += "| ref | proposal | from | |\n| --- | --- | --- | --- |"
    return _Group(heading=heading, records=tuple(rows))


def _needs_sync(block: BlockChange) -> bool:
    return block.caused and block.state in {BlockState.OUT_OF_STEP, BlockState.DAMAGED}


def _block(block: BlockChange, report: Report) -> _Group:
    lines = sum(one.startswith(("+", "-")) and one[:3] not in {"+++", "---"} for one in block.diff)
    said = [
        finding.message
        for finding in report.findings
        if finding.section is Section.SYNC and finding.path == block.path
    ]
    size = f": {phrases.count(lines, 'line')}" if lines else ""
    return _Group(
        heading=f"{html(block.path)} is out of date after this change{size}",
        records=(fenced(block.diff[:200], "diff"),) if lines else tuple(map(line, said)),
        end=line(" ".join(said)) if lines else "",
        folded=True,
    )


def _stale(stale: StaleMemory) -> str:
    memory = f"**{stale.memory.ref}** · {line(stale.memory.title)}"
    if stale.kind is StaleKind.FILES_CHANGED:
        return f"- {memory}: {code(stale.link)} changes here. Is it still true?"
    new = f"renamed to {code(stale.renamed_to)}" if stale.renamed_to else "removed"
    return f"- {memory}: {code(stale.link)} is {new} here. Mend its `links`."


def _is_older_fault(finding: Finding) -> bool:
    return finding.section is Section.MEMORY and finding.weight is Weight.NOTICE


def _last_line(report: Report) -> str:
    read = phrases.count(report.memories_read, "memory", "memories")
    verb = "applies" if len(report.matches) == 1 else "apply"
    applied = f"{len(report.matches)} of {read} {verb}" if report.memories_read else "no memory yet"
    return (
        f"<sub>{applied} · rules from {line(report.base_ref, 100)} at {report.base_sha[:7]}, "
        f"change at {report.head_sha[:7]}</sub>"
    )


def _fit(top: str, groups: Iterable[_Group], last: str) -> str:
    """All groups in order, cut at a record with a count where the room ends."""
    parts = [top]
    room = _BUDGET - len(top) - len(last)
    left_out = 0
    for group in groups:
        kept: list[str] = []
        room -= len(group.heading) + len(group.end) + 80
        for record in group.records:
            if len(record) + 2 > room:
                break
            kept.append(record)
            room -= len(record) + 2
        left_out += len(group.records) - len(kept)
        if kept:
            parts.append(_FOLD[group.folded](group, kept))
        else:
            room += len(group.heading) + len(group.end) + 80
    if left_out:
        parts.append(f"{phrases.count(left_out, 'more record')} did not fit in here.")
    return "\n\n".join([*parts, last])


def _open(group: _Group, records: list[str]) -> str:
    between = "\n\n" if records[0].startswith(">") else "\n"
    gap = "\n" if records[0].startswith("|") else "\n\n"
    head = f"{group.heading}{gap}" if group.heading else ""
    return f"{head}{between.join(records)}{f'{chr(10) * 2}{group.end}' if group.end else ''}"


def _fold(group: _Group, records: list[str]) -> str:
    end = f"\n\n{group.end}" if group.end else ""
    body = "\n".join(records)
    return f"<details><summary>{group.heading}</summary>\n\n{body}{end}\n\n</details>"


_FOLD: Final[dict[bool, Callable[[_Group, list[str]], str]]] = {False: _open, True: _fold}
