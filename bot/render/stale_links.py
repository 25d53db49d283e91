"""Links in doubt, as text for a terminal and as JSON values."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from bot.core.secrets import redacted
from bot.core.stale_links import StaleLink
from bot.render import phrases
from bot.render.memories import one_line


def text(stale: Sequence[StaleLink], *, compared: int) -> str:
    """The links, grouped by memory, each with what to do; ends with a line end.

    compared: how many links were looked at.
    """
    links = phrases.count(compared, "link")
    if not stale:
        return f"Nothing is stale among {links}.\n"
    memories = len({(one.memory.id, one.memory.path) for one in stale})
    places = phrases.count(memories, "memory", "memories")
    end = f"{len(stale)} of {links} to look at, in {places}."
    return "\n".join([*_memories(stale), end, ""])


def document(stale: Sequence[StaleLink]) -> list[dict[str, object]]:
    """The links as plain lists, dicts, texts and numbers. Keys are added, never renamed."""
    return [
        {
            "kind": one.fault.value,
            "severity": one.fault.severity.value,
            "ref": one.memory.ref,
            "id": redacted(one.memory.id),
            "path": redacted(one.memory.path),
            "line": one.line,
            "link": redacted(one.link),
            "last_commit": (
                {"sha": one.last_commit.sha, "date": one.last_commit.at.isoformat()}
                if one.last_commit
                else None
            ),
            "renamed_to": redacted(one.renamed_to) if one.renamed_to else None,
        }
        for one in stale
    ]


def _memories(stale: Sequence[StaleLink]) -> Iterator[str]:
    for _, group in groupby(stale, key=lambda one: (one.memory.id, one.memory.path)):
        found = list(group)
        memory = found[0].memory
        yield f"{memory.ref}  {one_line(memory.title)}"
        yield f"  {one_line(memory.path)}:{found[0].line}"
        for one in found:
            fault = one.fault
            yield f"  {fault.severity.value}: {one_line(one.message)} [{fault.value}]"
        for advice in dict.fromkeys(one.advice for one in found):
            yield f"  {one_line(advice)}"
        yield ""
