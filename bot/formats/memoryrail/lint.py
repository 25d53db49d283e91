"""What only shows when a store's memories are seen together (spec/memoryrail.md, "Lint")."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from bot.core.model import Memory, MemoryType, Problem, Severity, Status
from bot.core.precheck.links import parts_of

_MAX_NAMED: Final = 3  # memories in a message
_LIVE: Final = frozenset({Status.ACTIVE, Status.PROPOSED})


def lint(memories: Sequence[Memory]) -> tuple[Problem, ...]:
    """Every problem between memories and in what they point to, by path and line."""
    by_id = {memory.id: memory for memory in memories}
    circles = _in_circles(by_id)
    ids: dict[str, set[str]] = {}  # by ref
    successors: dict[str, list[Memory]] = {}
    spelt = Counter(memory.path.casefold() for memory in memories)
    for memory in memories:
        ids.setdefault(memory.ref, set()).add(memory.id)
        if memory.supersedes and memory.status is Status.ACTIVE:
            successors.setdefault(memory.supersedes, []).append(memory)
    problems = [
        problem
        for memory in memories
        for problem in (
            *_supersedes(memory, by_id, circles, successors),
            *_superseded(memory, by_id, _successor(memory, successors)),
            *_status(memory),
            *_links(memory),
            *_ref(memory, ids[memory.ref]),
            *_case(memory, spelt[memory.path.casefold()]),
        )
    ]
    return tuple(sorted(problems))


def _supersedes(
    memory: Memory,
    by_id: dict[str, Memory],
    circles: set[str],
    successors: dict[str, list[Memory]],
) -> Iterator[Problem]:
    """What is wrong with what a memory says it replaces."""
    if not memory.supersedes:
        return
    if memory.supersedes not in by_id:
        message = f"`supersedes` names {memory.supersedes}, which is no memory of this store."
        yield _problem(memory, "supersedes", "unknown-supersedes", message, Severity.WARNING)
    if memory.id in circles:
        message = (
            "By their `supersedes`, memories replace each other in a circle. Take `supersedes` out "
            "of the one that came first."
        )
        yield _problem(memory, "supersedes", "supersedes-cycle", message, Severity.ERROR)
    rivals = successors.get(memory.supersedes, [])
    if len(rivals) > 1 and memory.status is Status.ACTIVE:
        message = (
            f"{len(rivals)} active memories supersede {memory.supersedes}: {_named(rivals)}. "
            "Let one supersede the others."
        )
        yield _problem(memory, "supersedes", "superseded-twice", message, Severity.WARNING)


def _successor(memory: Memory, successors: dict[str, list[Memory]]) -> Memory | None:
    """The active memory that supersedes another one; none supersedes itself."""
    found = successors.get(memory.id, ())
    return next((other for other in found if other.id != memory.id), None)


def _in_circles(by_id: dict[str, Memory]) -> set[str]:
    """Ids of the memories to which whoever follows `supersedes` from them comes back."""
    found: set[str] = set()
    done: set[str] = set()
    for start in by_id:
        way: dict[str, None] = {}  # ordered; each memory is walked over once in all
        id_ = start
        while id_ in by_id and id_ not in done and id_ not in way:
            way[id_] = None
            id_ = by_id[id_].supersedes or ""
        if id_ in way:
            circle = list(way)
            found.update(circle[circle.index(id_) :])
        done.update(way)
    return found


def _superseded(
    memory: Memory, by_id: dict[str, Memory], successor: Memory | None
) -> Iterator[Problem]:
    """What is wrong with how a memory was replaced."""
    if memory.superseded_by and memory.status in _LIVE:
        message = (
            f"The memory is {memory.status}, and `superseded_by` says that it was replaced. Set "
            "`status` to superseded, or take `superseded_by` out."
        )
        yield _problem(memory, "status", "not-superseded", message, Severity.WARNING)
    if memory.superseded_by:
        newer = by_id.get(memory.superseded_by)
        if newer is None:
            message = f"`superseded_by` names {memory.superseded_by}, which is no memory here."
            yield _problem(
                memory, "superseded_by", "unknown-superseded-by", message, Severity.WARNING
            )
        elif newer.supersedes != memory.id:
            message = f"{_named([newer])} does not say `supersedes: {memory.id}`."
            yield _problem(memory, "superseded_by", "missing-supersedes", message, Severity.WARNING)
        return
    if successor is not None:
        message = (
            f"{_named([successor])} supersedes this memory."
            f" Set `status` to superseded and `superseded_by` to {successor.id}."
        )
        yield _problem(memory, "status", "missing-superseded-by", message, Severity.WARNING)
    elif memory.status is Status.SUPERSEDED:
        message = "A superseded memory names the one that replaced it in `superseded_by`."
        yield _problem(memory, "status", "missing-superseded-by", message, Severity.WARNING)


def _status(memory: Memory) -> Iterator[Problem]:
    if memory.status is Status.RESOLVED and memory.type is not MemoryType.THREAD:
        message = "Only a thread can be resolved. Anything else is archived or superseded."
        yield _problem(memory, "status", "resolved-not-thread", message, Severity.WARNING)


def _links(memory: Memory) -> Iterator[Problem]:
    if memory.status not in _LIVE:
        return
    for link in memory.links:
        if parts_of(link) is None:
            message = f"The link {link!r} does not name a path inside the repository."
            yield _problem(memory, "links", "link-outside-repo", message, Severity.ERROR)


def _ref(memory: Memory, ids: Collection[str]) -> Iterator[Problem]:
    if len(ids) > 1:
        message = f"{memory.ref} means {len(ids)} memories here. Cite this one by its id."
        yield _problem(memory, "id", "ambiguous-ref", message, Severity.NOTICE)


def _case(memory: Memory, files: int) -> Iterator[Problem]:
    if files > 1:
        message = (
            "Another memory's file has this name in other letter case: macOS and Windows keep only "
            "one of them. Supersede one by a memory with another id."
        )
        yield _problem(memory, "id", "case-collision", message, Severity.WARNING)


def _named(memories: Sequence[Memory]) -> str:
    shown = [f"{memory.ref} ({memory.id})" for memory in memories[:_MAX_NAMED]]
    return ", ".join([*shown, "…"] if len(memories) > _MAX_NAMED else shown)


def _problem(memory: Memory, field: str, rule: str, message: str, severity: Severity) -> Problem:
    return Problem(
        path=memory.path,
        line=memory.lines.get(field, 1),
        rule=rule,
        message=message,
        severity=severity,
    )
