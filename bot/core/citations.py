"""The `[per REF]` in a pull request's words: which memory each one means, and whether it holds."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.core.model import Memory, Status
from bot.core.refs import MAX_CITATIONS, AmbiguousRef, Refs, UnknownRef
from bot.core.refs import citations as cited_in
from bot.core.report import Citation, CitationState, Finding, Section, Weight
from bot.core.snapshot import Snapshot

_MAX_SUGGESTIONS: Final = 10  # a nearest ref takes milliseconds to find


def citations(snapshot: Snapshot) -> tuple[Citation, ...]:
    """Every citation once, where it stands first: title, body, then commits from the oldest.

    A memory is looked up on the base, then at the head, since a change may cite what it adds.
    """
    base = [memory for store in snapshot.base.stores for memory in store.memories]
    head = [memory for store in snapshot.head.stores for memory in store.memories]
    paths, places = {memory.path for memory in base}, {memory.place for memory in head}
    moved = {memory.id for memory in base if memory.place not in places}
    new = [one for one in head if one.path not in paths and one.id not in moved]
    memories = [*base, *new]
    if not memories:
        return ()  # without project memory `[per …]` means something else
    refs = Refs(memories)
    ids = frozenset(memory.id for memory in memories)
    found: dict[str, Citation] = {}
    for where, text in _texts(snapshot):
        for ref in cited_in(text, ids):
            if ref.casefold() not in found and len(found) < MAX_CITATIONS:
                suggests = len(found) < _MAX_SUGGESTIONS
                found[ref.casefold()] = _citation(ref, where, refs, suggests=suggests)
    return tuple(found.values())


def citation_findings(cited: Sequence[Citation]) -> Iterator[Finding]:
    """A warning for each citation that names nothing that holds."""
    for one in cited:
        if one.state is not CitationState.KNOWN:
            yield Finding(
                section=Section.CITATIONS,
                weight=Weight.WARNING,
                rule=f"{one.state}-citation",
                message=f"[per {one.ref}] {_trouble(one)}",
            )


def _texts(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    yield "title", snapshot.pull.title
    yield "body", _without_comments(snapshot.pull.body)
    for commit in snapshot.commits:
        yield commit.sha, commit.message


def _without_comments(text: str) -> str:
    """Markdown without its HTML comments: what nobody sees cites nothing."""
    before, *rest = text.split("<!--")
    return " ".join([before, *(part.partition("-->")[2] for part in rest)])


def _citation(ref: str, where: str, refs: Refs, *, suggests: bool) -> Citation:
    try:
        memory = refs.resolve(ref, suggests=suggests)
    except UnknownRef as error:
        near = error.suggestion.ref if error.suggestion else None
        return Citation(ref=ref, state=CitationState.UNKNOWN, suggestion=near, where=where)
    except AmbiguousRef as error:
        ids = ", ".join(memory.id for memory in error.candidates)
        return Citation(ref=ref, state=CitationState.AMBIGUOUS, suggestion=ids, where=where)
    state = CitationState.KNOWN if memory.status is Status.ACTIVE else CitationState.INACTIVE
    successor = _successor(memory, refs) if state is CitationState.INACTIVE else None
    return Citation(ref=ref, state=state, memory=memory, suggestion=successor, where=where)


def _successor(memory: Memory, refs: Refs) -> str | None:
    try:
        return refs.resolve(memory.superseded_by).ref if memory.superseded_by else None
    except (UnknownRef, AmbiguousRef):
        return None


def _trouble(one: Citation) -> str:
    if one.state is CitationState.UNKNOWN:
        near = f" Did you mean {one.suggestion}?" if one.suggestion else ""
        return f"names no memory.{near}"
    if one.state is CitationState.AMBIGUOUS:
        return f"could mean several memories. Cite the id of one: {one.suggestion}."
    status = one.memory.status if one.memory else "inactive"
    now = f" Now {one.suggestion} holds." if one.suggestion else ""
    return f"names a memory that is {status}.{now}"
