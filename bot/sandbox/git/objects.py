"""Git objects as values: what `git cat-file` prints, parsed."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

_SIGNATURE = re.compile(
    rb"^(?P<name>.*?) ?<(?P<mail>[^>]*)> (?P<seconds>-?\d+) (?P<zone>[+-]\d{4})$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitObject:
    oid: str
    type: str  # "commit", "tree", "blob" or "tag"
    data: bytes

    @property
    def is_binary(self) -> bool:
        """Git's own rule: a zero byte within the first 8,000."""
        return b"\0" in self.data[:8000]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who made a commit, and when."""

    name: str
    email: str
    date: datetime

    def render(self) -> str:
        """As the header of a commit and the input of fast-import spell it."""
        return f"{self.name} <{self.email}> {int(self.date.timestamp())} +0000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    oid: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str  # without the line break at its end


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEntry:
    """One line of a tree; path is relative to the tree that was asked for."""

    mode: str  # six octal digits, "040000" for a folder
    type: str  # "blob", "tree", or "commit" for a submodule
    oid: str
    path: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


def parse_commit(found: GitObject) -> Commit:
    head, _, message = found.data.partition(b"\n\n")
    fields: dict[str, list[bytes]] = {}
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        fields.setdefault(key.decode("ascii", "replace"), []).append(value)
    return Commit(
        oid=found.oid,
        tree=fields["tree"][0].decode(),
        parents=tuple(parent.decode() for parent in fields.get("parent", ())),
        author=_signature(fields["author"][0]),
        committer=_signature(fields["committer"][0]),
        message=message.decode("utf-8", "replace").rstrip("\n"),
    )


def parse_tree(found: GitObject) -> tuple[TreeEntry, ...]:
    entries = []
    position = 0
    while position < len(found.data):
        space = found.data.index(b" ", position)
        end = found.data.index(b"\0", space)
        mode = found.data[position:space].decode().zfill(6)
        oid = found.data[end + 1 : end + 21].hex()
        path = found.data[space + 1 : end].decode("utf-8", "replace")
        entries.append(TreeEntry(mode=mode, type=_type_of(mode), oid=oid, path=path))
        position = end + 21
    return tuple(entries)


def _type_of(mode: str) -> str:
    return {"040000": "tree", "160000": "commit"}.get(mode, "blob")


def _signature(line: bytes) -> Signature:
    match = _SIGNATURE.match(line)
    if match is None:
        return Signature(name="", email="", date=datetime.fromtimestamp(0, UTC))
    return Signature(
        name=match["name"].decode("utf-8", "replace"),
        email=match["mail"].decode("utf-8", "replace"),
        date=datetime.fromtimestamp(int(match["seconds"]), UTC),
    )
