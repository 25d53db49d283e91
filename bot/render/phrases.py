"""The verdicts in words, the same in the comment, the checks and the terminal."""

from collections.abc import Sequence

from bot.core.model import MemoryType
from bot.core.report import (
    BlockState,
    ChangeKind,
    Check,
    Conclusion,
    Match,
    MemoryChange,
    Report,
    Section,
    Weight,
)


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 memory, 2 memories."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence: a, b and c; "" for none. last: the word before the last."""
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def applies(matches: Sequence[Match]) -> str:
    """What the matches mean for the change, as a clause; "" when nothing applies.

    What is folded counts only where there is nothing else, and what is acknowledged never does.
    """
    types = [match.memory.type for match in matches if not match.folded]
    constraints, attempts = types.count(MemoryType.CONSTRAINT), types.count(MemoryType.ATTEMPT)
    parts = []
    if constraints:
        verb = "binds" if constraints == 1 else "bind"
        parts.append(f"{count(constraints, 'constraint')} {verb} this change")
    if attempts:
        ways = "one way of doing it" if attempts == 1 else f"{attempts} ways of doing it"
        parts.append(f"{ways} failed before")
    if parts:
        return ", and ".join(parts)
    if types:
        return f"{types_in_words(types)} {'touches' if len(types) == 1 else 'touch'} this change"
    doubtful = [match.memory.type for match in matches if not match.acknowledged]
    return f"{types_in_words(doubtful)} may touch this change" if doubtful else ""


def nothing_more(matches: Sequence[Match]) -> str:
    """That nothing is left to tell, as a clause."""
    if not matches:
        return "nothing applies to this change any more"
    return f"{count(len(matches), 'memory', 'memories')} acknowledged, nothing else applies"


def how_many_apply(report: Report) -> str:
    """Of the memories that bind: 3 of 4 memories apply."""
    matches, read = len(report.matches), report.memories_read
    if not read:
        return "no memory yet"
    if read == 1:
        return "the one memory applies" if matches else "the one memory does not apply"
    return f"{matches} of {read} memories {'applies' if matches == 1 else 'apply'}"


def types_in_words(types: Sequence[MemoryType]) -> str:
    """How many memories of each type there are: 1 gotcha and 3 decisions."""
    order = (MemoryType.CONSTRAINT, MemoryType.ATTEMPT, MemoryType.GOTCHA, MemoryType.DECISION)
    return listed([count(types.count(one), one.value) for one in order if one in types])


def changed(changes: Sequence[MemoryChange]) -> list[str]:
    """How many memories are added, changed and removed, a text for each that are any."""
    verbs = {ChangeKind.ADDED: "added", ChangeKind.CHANGED: "changed"}
    verbs[ChangeKind.REMOVED] = "removed"
    kinds = [change.kind for change in changes]
    return [
        f"{count(kinds.count(kind), 'memory', 'memories')} {verb}"
        for kind, verb in verbs.items()
        if kind in kinds
    ]


def title(report: Report, check: Check) -> str:
    """One line that says the verdict of a check."""
    unread = report.unread_of(check)
    if unread:
        return f"Not fully checked: {unread[0].what}: {unread[0].why}"
    return {
        Check.PRECHECK: _precheck,
        Check.SECRETS: _secrets,
        Check.MEMORY: _memory,
        Check.SYNC: _sync,
    }[check](report)


_NOTHING = "Nothing to check: there is no project memory here"


def _precheck(report: Report) -> str:
    if not report.has_stores:
        return _NOTHING
    asked = _weighing(report, Check.PRECHECK, Weight.ACTION)
    if asked:
        return f"{count(asked, 'constraint')} must be cited before this can be merged"
    words = applies(report.matches)
    if report.matches and not words:
        words = nothing_more(report.matches)
    return f"{words[:1].upper()}{words[1:]}" or none_applies(report.memories_read)


def none_applies(memories: int) -> str:
    """That nothing applies, of so many memories that bind."""
    if memories == 0:
        return "No memory binds yet"
    if memories == 1:
        return "The one memory does not apply"
    return f"None of {memories} memories applies"


def _secrets(report: Report) -> str:
    failing = _weighing(report, Check.SECRETS, Weight.FAILURE)
    lesser = _weighing(report, Check.SECRETS, Weight.WARNING)
    if failing:
        return (
            f"{count(failing, 'secret')} in this change: revoke {'it' if failing == 1 else 'them'}"
        )
    if lesser:
        return f"{count(lesser, 'possible secret')} to look at"
    marked = sum(hit.is_marked for hit in report.secrets)
    if marked:
        return f"No secret but {marked} that {'a mark hides' if marked == 1 else 'marks hide'}"
    ignored = sum(hit.is_dismissed for hit in report.secrets)
    standing = _weighing(report, Check.SECRETS, Weight.NOTICE) - ignored
    besides = [f"{ignored} {'is' if ignored == 1 else 'are'} ignored"] if ignored else []
    besides += [f"{standing} stood in memory files before"] if standing else []
    return f"No new secret; {listed(besides)}" if besides else "No secrets in this change"


def _memory(report: Report) -> str:
    faults = _weighing(report, Check.MEMORY, Weight.FAILURE)
    if faults:
        return f"{count(faults, 'fault')} in this change to the project memory"
    if not report.has_stores:
        return _NOTHING
    waiting = len(proposals(report))
    asked = f"{count(waiting, 'proposal')} {'waits' if waiting == 1 else 'wait'} for a maintainer"
    if _weighing(report, Check.MEMORY, Weight.ACTION):
        return asked
    said = changed(report.changes)
    if waiting:
        said.append(asked)
    broken = sum(finding.weight is Weight.WARNING for finding in report.findings_of(Check.MEMORY))
    if broken:
        said.append(count(broken, "warning"))
    standing = sum(finding.is_older for finding in report.findings_of(Check.MEMORY))
    if standing:
        said.append(f"{count(standing, 'older fault')} not caused here")
    text = listed(said)
    return text[:1].upper() + text[1:] if text else "This change leaves the project memory as it is"


def _sync(report: Report) -> str:
    if not report.has_stores:
        return _NOTHING
    blocks = [block for block in report.blocks if block.state is not BlockState.ABSENT]
    if not blocks:
        return "Nothing to check: no file holds a generated block"
    broken = [block for block in blocks if block.state is not BlockState.IN_STEP]
    names = listed([block.path for block in broken])
    if report.conclusions.get(Check.SYNC) is Conclusion.FAILURE:
        return f"{names} out of date after this change"
    if broken:
        return f"{names} out of date, but not by this change"
    return f"{listed([block.path for block in blocks])} in step with the project memory"


def proposals(report: Report) -> tuple[str, ...]:
    """The refs of the memories that this pull request proposes."""
    return tuple(
        change.after.ref
        for change in report.changes
        if change.after is not None and change.is_proposal
    )


def weighing(report: Report, section: Section, weight: Weight) -> int:
    """How many findings of a section weigh so."""
    return sum(one.section is section and one.weight is weight for one in report.findings)


def _weighing(report: Report, check: Check, weight: Weight) -> int:
    return sum(finding.weight is weight for finding in report.findings_of(check))
