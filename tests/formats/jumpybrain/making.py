"""Documents and memory roots, for tests."""

from bot.core.model import TreeFile
from bot.formats.jumpybrain.document import Document, read_document
from bot.formats.jumpybrain.frontmatter import block, written

CONFIG = b'{"schemaVersion": 1}\n'
SECTIONS = (
    "## Findings\n- f\n\n## Decisions\n- d\n\n"
    "## Conflicts / Corrections\n- None captured.\n\n## Open Questions\n- q?\n"
)


def id_of(number: int) -> str:
    """An id, another for each number."""
    return f"mem_550e8400-e29b-41d4-a716-{number:012x}"


def text(
    number: int = 1, /, *, body: str = "\n# Queue\n\nIt drains in order.\n", **fields: str
) -> str:
    """A document, sound unless a field says otherwise; "" leaves one out."""
    known = {
        "id": id_of(number),
        "type": "note",
        "title": f"On {number}",
        "source": "manual",
        "created_at": "2026-06-02T12:00:00.000Z",
        "updated_at": "2026-06-02T12:00:00.000Z",
        "confidence": "user-reviewed",
    }
    said = {name: value for name, value in {**known, **fields}.items() if value}
    return block({name: written(value) for name, value in said.items()}) + body


def document(place: str, content: str) -> Document:
    """A document as it reads."""
    return read_document(place, content.encode())


def file(path: str, content: str | bytes) -> TreeFile:
    """A file of a commit."""
    data = content if isinstance(content, bytes) else content.encode()
    return TreeFile(path=path, oid=str(hash(data)), data=data)


def config(path: str = "memory/jumpybrain.json", data: bytes = CONFIG) -> TreeFile:
    """What makes a folder a memory root."""
    return file(path, data)
