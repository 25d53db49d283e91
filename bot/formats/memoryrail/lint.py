"""What only shows when a store's memories are seen together (spec/memoryrail.md, "Lint")."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.core.model import Memory, MemoryType, Problem, Severity, Status
from bot.core.precheck.links import parts_of

_LIVE: Final = frozenset({Status.ACTIVE, Status.PROPOSED})


def lint(memories: Sequence[Memory]) -> tuple[Problem, ...]:
    """Every problem between memories and in what they point to, by path and line."""
    by_id = {memory.id: memory for memory in memories}
    successors = {
        memory.supersedes: memory
        for memory in memories
        if memory.supersedes and memory.status is Status.ACTIVE
    }
    problems = [
        problem
        for memory in memories
        for problem in (
            *_supersession(memory, by_id, successors.get(memory.id)),
            *_status(memory),
            *_links(memory),
        )
    ]
    return tuple(sorted(problems))


def _supersession(
    memory: Memory, by_id: dict[str, Memory], successor: Memory | None
) -> Iterator[Problem]:
    if memory.supersedes and memory.supersedes not in by_id:
        message = f"`supersedes` names {memory.supersedes}, which is no memory of this store."
        yield _problem(memory, "supersedes", "unknown-supersedes", message, Severity.WARNING)
    if memory.superseded_by:
        return
    if successor is not None:
        message = (
            f"{successor.ref} ({successor.id}) supersedes this memory."
            f" Set `status` to superseded and `superseded_by` to {successor.id}."
        )
        yield _problem(memory, "status", "missing-superseded-by", message, Severity.WARNING)
    elif memory.status is Status.SUPERSEDED:
        message = "A superseded memory names the one that replaced it in `superseded_by`."
        yield _problem(memory, "status", "missing-superseded-by", message, Severity.WARNING)


def _status(memory: Memory) -> Iterator[Problem]:
    if memory.status is Status.RESOLVED and memory.type is not MemoryType.THREAD:
        message = f"Only a thread can be resolved. A {memory.type} is archived or superseded."
        yield _problem(memory, "status", "resolved-not-thread", message, Severity.WARNING)


def _links(memory: Memory) -> Iterator[Problem]:
    if memory.status not in _LIVE:
        return
    for link in memory.links:
        if parts_of(link) is None:
            message = f"The link {link!r} does not name a path inside the repository."
            yield _problem(memory, "links", "link-outside-repo", message, Severity.ERROR)


def _problem(memory: Memory, field: str, rule: str, message: str, severity: Severity) -> Problem:
    return Problem(
        path=memory.path,
        line=memory.lines.get(field, 1),
        rule=rule,
        message=message,
        severity=severity,
    )
