"""Faults in memory and settings files: who caused them decides what they weigh.

What stood on the base before is said and never fails; least of all the pull request that mends it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from bot.core.model import Problem, Severity
from bot.core.report import Finding, Section, Weight
from bot.core.snapshot import Side, Snapshot

_TOLD_AS_LIFECYCLE: Final = "missing-superseded-by"  # half-superseded, where the change is
_TOLD_WHEN_ADDED: Final = "ambiguous-ref"  # lifecycle says it once; nobody can mend an old one
_MANY: Final = 5  # older faults of one rule that are said one by one
_WEIGHT: Final = {
    Severity.ERROR: Weight.FAILURE,
    Severity.WARNING: Weight.WARNING,
    Severity.NOTICE: Weight.NOTICE,
}


def format_findings(snapshot: Snapshot) -> Iterator[Finding]:
    """Each fault once: caused by this pull request, or older."""
    found = list(_of_memories(snapshot))
    yield from _few(finding for finding in found if finding.is_older)
    yield from (finding for finding in found if not finding.is_older)
    yield from (_finding(problem, caused=True) for problem in snapshot.differences)
    yield from _of_settings(snapshot)


def _of_memories(snapshot: Snapshot) -> Iterator[Finding]:
    touched = {path for file in snapshot.files for path in file.paths}
    on_base, at_head = _problems(snapshot.base), _problems(snapshot.head)
    for key, problem in at_head.items():
        # A fault that is new in an untouched file comes from another file's change, unless the
        # base has changed that file meanwhile.
        caused = key not in on_base and (problem.path in touched or _same(snapshot, problem.path))
        if caused and problem.rule == _TOLD_AS_LIFECYCLE:
            continue
        if caused or problem.severity is not Severity.NOTICE:  # old advice, said once, would nag
            yield _finding(problem, caused=caused)
    for key, problem in on_base.items():
        is_advice = problem.severity is Severity.NOTICE
        if key not in at_head and problem.path not in touched and not is_advice:
            yield _finding(problem, caused=False)


def _few(older: Iterable[Finding]) -> Iterator[Finding]:
    """Older faults, one for all of a rule where they are many: nobody here has made them."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in older:
        by_rule.setdefault(finding.rule, []).append(finding)
    for some in by_rule.values():
        if len(some) <= _MANY:
            yield from some
        else:
            message = f"{some[0].message} There are {len(some) - 1} more of this kind."
            yield replace(some[0], message=message)


def _of_settings(snapshot: Snapshot) -> Iterator[Finding]:
    """The owner's and the default branch's, and the head's where this pull request writes them."""
    for problem in snapshot.owners_settings_problems:
        message = f"In the owner's settings, {problem.path}:{problem.line}: {problem.message}"
        yield replace(_finding(problem, caused=False), message=message, path=None, line=1)
    standing = {(one.rule, one.message) for one in snapshot.settings_problems}
    if snapshot.proposed_settings_problems is None:
        for problem in snapshot.settings_problems:
            yield _finding(problem, caused=False)
    else:
        for problem in snapshot.proposed_settings_problems:
            yield _finding(problem, caused=(problem.rule, problem.message) not in standing)


def _problems(side: Side) -> dict[tuple[str, str, str], Problem]:
    return {
        _key(problem): problem
        for store in side.stores
        for problem in store.problems
        if problem.rule != _TOLD_WHEN_ADDED
    }


def _key(problem: Problem) -> tuple[str, str, str]:
    """What makes two faults the same: the message names the field, and lines move."""
    return problem.path, problem.rule, problem.message


def _same(snapshot: Snapshot, path: str) -> bool:
    was, is_ = snapshot.base.memory_file(path), snapshot.head.memory_file(path)
    return was is not None and is_ is not None and was.oid == is_.oid


def _finding(problem: Problem, *, caused: bool) -> Finding:
    return Finding(
        section=Section.MEMORY,
        weight=_WEIGHT[problem.severity] if caused else Weight.NOTICE,
        rule=problem.rule,
        message=problem.message,
        path=problem.path,
        line=problem.line,
        is_older=not caused,
    )
