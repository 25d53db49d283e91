"""Memories for people at a terminal and for programs. Their texts are hostile to either."""

from collections.abc import Iterator

from bot.core.model import Memory
from bot.core.secrets import redacted
from bot.render.markdown import visible


def document(memory: Memory) -> dict[str, object]:
    """A memory as JSON values: the format's fields, its ref, its file and its body.

    kind: its format's own word for its type, None where that is the type itself. What looks like a
    credential is left out.
    """
    return {
        "ref": memory.ref,
        "id": redacted(memory.id),
        "type": memory.type.value,
        "kind": memory.kind or None,
        "title": redacted(memory.title),
        "status": memory.status.value,
        "created": memory.created,
        "updated": memory.updated,
        "tags": [redacted(tag) for tag in memory.tags],
        "links": [redacted(link) for link in memory.links],
        "pinned": memory.pinned,
        "supersedes": memory.supersedes and redacted(memory.supersedes),
        "superseded_by": memory.superseded_by and redacted(memory.superseded_by),
        "path": redacted(memory.path),
        "body": redacted(memory.body),
    }


def text(memory: Memory) -> str:
    """A memory as it reads on a terminal; ends with a line end."""
    body = visible(memory.body.replace("\r\n", "\n")).strip("\n")
    return "\n".join([*_head(memory), *(["", body] if body.strip() else []), ""])


def one_line(words: str) -> str:
    """Words of a memory on one line, without characters that steer a terminal."""
    return " ".join(visible(words).split())


def _head(memory: Memory) -> Iterator[str]:
    pinned = ", pinned" if memory.pinned else ""
    yield f"{memory.ref}  {one_line(memory.title)}"
    yield f"  {memory.called}, {memory.status}{pinned}"
    yield f"  id       {one_line(memory.id)}"
    yield f"  file     {one_line(memory.path)}"
    yield f"  created  {one_line(memory.created)}"
    yield f"  updated  {one_line(memory.updated)}"
    for name, values in (("tags", memory.tags), ("links", memory.links)):
        if values:
            yield f"  {name:<8} {one_line(', '.join(values))}"
    if memory.supersedes:
        yield f"  replaces {one_line(memory.supersedes)}"
    if memory.superseded_by:
        yield f"  replaced by {one_line(memory.superseded_by)}"
