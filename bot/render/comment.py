"""The one comment on a pull request.

Its readers: a maintainer between two meetings, the author, an agent that acts next. Each finds
without scrolling whether something binds this change, whether it was tried before, and what is
asked of them; the rest is folded. Nothing to say gives no comment.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.comment import MAX_COMMENT
from bot.core.model import MemoryType
from bot.core.report import (
    BlockChange,
    CitationState,
    Finding,
    Match,
    Report,
    SecretHit,
    Section,
    Weight,
)
from bot.render import marker, phrases, records
from bot.render.headline import headline
from bot.render.markdown import fenced, html, line
from bot.render.records import Place, Scene
from bot.render.sections import is_older_fault, is_to_look_at, needs_sync

__all__ = ["Place", "comment"]

_BUDGET: Final = MAX_COMMENT - 2_000  # leaves room for the count of what is left out
_MAX_DIFF: Final = 200  # lines
_STRICT: Final = frozenset({MemoryType.CONSTRAINT, MemoryType.ATTEMPT})


def comment(report: Report, place: Place, previous: str | None = None) -> str | None:
    """The comment's body for a report; None when there is nothing to say and nothing was said.

    previous: the body of the comment as it stands. What it did not show is marked as new, and where
    nothing is left of it the new body says so.
    """
    words = headline(report)
    if not words and previous is None:
        return None
    shown = marker.following(
        marker.read(previous),
        head=report.head_sha,
        refs=tuple(match.memory.ref for match in report.matches),
    )
    known = None if shown.before is None else frozenset(shown.before)
    scene = Scene(report=report, place=place, known=known)
    words = words or phrases.nothing_more(report.matches)
    top = f"{marker.write(shown)}\n### MemoryRail: {words}"
    return _fit(top, _groups(scene), _last_line(report))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Records under one heading; folded ones show their heading only."""

    heading: str
    records: tuple[str, ...]
    folded: bool = False
    end: str = ""


def _groups(scene: Scene) -> Iterator[_Group]:
    report = scene.report
    failing = [one for one in report.findings if one.weight is Weight.FAILURE]
    shown = [one for one in report.matches if not one.folded]
    binding = [one for one in shown if one.memory.type is MemoryType.CONSTRAINT]
    failed = [one for one in shown if one.memory.type is MemoryType.ATTEMPT]
    yield _Group(
        heading="**Not fully checked**",
        records=tuple(f"- {line(one.what)}: {line(one.why)}" for one in report.unread),
    )
    yield _Group(
        heading="**Secrets to revoke**",
        records=tuple(records.secret(one) for one in report.secrets if _fails(one, failing)),
        end="Taking a secret out of the files does not help: it stays in the history. Revoke it.",
    )
    yield _Group(
        heading="**Asked of you**",
        records=tuple(records.fault(one) for one in report.findings if one.weight is Weight.ACTION),
    )
    yield _Group(heading="", records=tuple(records.full(one, scene) for one in binding))
    yield _Group(
        heading="**Tried before, and failed**",
        records=tuple(records.full(one, scene) for one in failed),
        end="If there is a new reason to try again, say so in the description.",
    )
    yield _Group(
        heading="**To mend in memory files**",
        records=tuple(records.fault(one) for one in failing if one.section is Section.MEMORY),
    )
    yield from _of_the_memory(scene)
    yield from _of_the_same_matter(scene)
    yield from _folded(scene)


def _of_the_memory(scene: Scene) -> Iterator[_Group]:
    """What this pull request does to the project memory itself."""
    changes = scene.report.changes
    settled = [one for one in changes if not one.is_proposal]
    heading = "**Waits for a maintainer** (proposed by this pull request)\n\n"
    yield _Group(
        heading=heading + "| ref | proposal | from | |\n| --- | --- | --- | --- |",
        records=tuple(
            records.proposal(one, one.after, scene)
            for one in changes
            if one.after is not None and one.is_proposal
        ),
        end=_how_to_decide(phrases.proposals(scene.report)),
    )
    yield _Group(
        heading="**What this does to the project memory**",
        records=tuple(records.change(one, scene) for one in settled),
    )
    yield _Group(
        heading="**To look at**",
        records=tuple(records.fault(one) for one in scene.report.findings if is_to_look_at(one)),
    )


def _how_to_decide(refs: tuple[str, ...]) -> str:
    if not refs:
        return ""
    return f"Comment `/memoryrail approve {refs[0]}` or `/memoryrail reject {refs[0]} : why`."


def _of_the_same_matter(scene: Scene) -> Iterator[_Group]:
    """What is worth knowing and binds nobody: sure hits, doubtful ones, and those set aside."""
    matches = scene.report.matches
    lesser = [one for one in matches if one.memory.type not in _STRICT and not one.folded]
    yield _short(lesser, "touches" if len(lesser) == 1 else "touch", scene)
    yield _short([one for one in matches if one.weak and not one.acknowledged], "may touch", scene)
    yield _Group(
        heading=f"{sum(one.acknowledged for one in matches)} acknowledged on this pull request",
        records=tuple(records.short(one, scene) for one in matches if one.acknowledged),
        folded=True,
    )


def _short(matches: Sequence[Match], verb: str, scene: Scene) -> _Group:
    types = phrases.types_in_words([match.memory.type for match in matches])
    return _Group(
        heading=f"{types} {verb} the same matter",
        records=tuple(records.short(one, scene) for one in matches),
        folded=True,
    )


def _folded(scene: Scene) -> Iterator[_Group]:
    report = scene.report
    yield from (_block(block, report) for block in report.blocks if needs_sync(block))
    yield _Group(
        heading=f"{phrases.count(len(report.stale), 'memory', 'memories')} may be stale after "
        "this change",
        records=tuple(records.stale(one) for one in report.stale),
        folded=True,
    )
    doubtful = [one for one in report.citations if one.state is not CitationState.KNOWN]
    yield _Group(
        heading=f"{phrases.count(len(doubtful), 'citation')} to look at",
        records=tuple(
            records.fault(one)
            for one in report.findings
            if one.section is Section.CITATIONS and one.weight is Weight.WARNING
        ),
        folded=True,
    )
    older = [one for one in report.findings if is_older_fault(one)]
    yield _Group(
        heading=f"{phrases.count(len(older), 'older fault')} in memory files, not caused here",
        records=tuple(records.fault(one) for one in older),
        folded=True,
    )


def _fails(hit: SecretHit, failing: list[Finding]) -> bool:
    return any(hit.fingerprint in one.message for one in failing if one.rule == hit.rule)


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
        records=(fenced(block.diff[:_MAX_DIFF], "diff"),) if lines else tuple(map(line, said)),
        end=line(" ".join(said)) if lines else "",
        folded=True,
    )


def _last_line(report: Report) -> str:
    return (
        f"<sub>{phrases.how_many_apply(report)} · "
        f"rules from {line(report.base_ref, 100)} at {report.base_sha[:7]}, "
        f"change at {report.head_sha[:7]} · `/memoryrail why` explains, `/memoryrail help` lists "
        "the rest</sub>"
    )


def _fit(top: str, groups: Iterable[_Group], last: str) -> str:
    """All groups in order, cut at a record with a count where the room ends."""
    parts = [top]
    room = _BUDGET - len(top) - len(last)
    left_out = 0
    for group in groups:
        kept: list[str] = []
        left = room - len(group.heading) - len(group.end) - 80
        for record in group.records:
            if len(record) + 2 > left:
                break
            kept.append(record)
            left -= len(record) + 2
        left_out += len(group.records) - len(kept)
        if kept:
            room = left
            parts.append(_SHOW[group.folded](group, kept))
    if left_out:
        parts.append(f"{phrases.count(left_out, 'more record')} did not fit in here.")
    return "\n\n".join([*parts, last])


def _open(group: _Group, kept: list[str]) -> str:
    between = "\n\n" if kept[0].startswith(">") else "\n"
    gap = "\n" if kept[0].startswith("|") else "\n\n"
    head = f"{group.heading}{gap}" if group.heading else ""
    end = f"\n\n{group.end}" if group.end else ""
    return f"{head}{between.join(kept)}{end}"


def _fold(group: _Group, kept: list[str]) -> str:
    end = f"\n\n{group.end}" if group.end else ""
    body = "\n".join(kept)
    return f"<details><summary>{group.heading}</summary>\n\n{body}{end}\n\n</details>"


_SHOW: Final[dict[bool, Callable[[_Group, list[str]], str]]] = {False: _open, True: _fold}
