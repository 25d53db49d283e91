"""Entries and files of them, for tests."""

from bot.core.model import TreeFile
from bot.formats.cursor.append import rendered

BODY = "The gateway now owns the cache and its expiry rules."


def entry(id_: str = "1745333456-0-state", *, body: str = BODY, **fields: str) -> str:
    """A block as it is written, valid unless a field says otherwise; "" leaves one out."""
    kind = fields.get("kind", "state")
    known = {
        "id": id_,
        "correlation_id": "1745333456-0",
        "at": "2026-04-22T19:30:56Z",
        "kind": kind,
        "status": "done",
        "author": "orchestrator",
        "summary": f"On {id_}",
    }
    return rendered({name: value for name, value in {**known, **fields}.items() if value}, body)


def file(name: str, *entries: str, root: str = "", head: str = "") -> TreeFile:
    """A file of entries as a commit has it."""
    text = head + "\n".join(entries)
    path = f"{root}/.cursor/memory/{name}".lstrip("/")
    return TreeFile(path=path, oid=str(hash(text)), data=text.encode())
