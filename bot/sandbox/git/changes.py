"""What changed between two trees: git's diff, parsed into one value for each file."""

from collections.abc import Iterator
from dataclasses import dataclass

# The letters of `git diff --raw` in GitHub's words.
_STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied"}
DIFF_OPTIONS = ("-r", "-M", "--no-ext-diff", "--no-textconv", "--full-index", "--raw", "--numstat")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One changed file. additions and deletions are 0 for a binary file."""

    path: str
    previous_path: str | None  # of a rename or copy
    status: str  # GitHub's words; "changed" for a change of type or mode alone
    oid: str  # of the blob afterwards; of the one before when the file was removed
    additions: int
    deletions: int
    patch: str | None  # hunks only; None for a binary file and where no line changed


def parse_changes(output: bytes) -> tuple[FileChange, ...]:
    """Read the output of a git diff that was run with -z, -p and DIFF_OPTIONS."""
    fields = output.split(b"\0")
    raw: list[tuple[bytes, list[bytes]]] = []
    position = 0
    while position < len(fields) and fields[position].startswith(b":"):
        count = 2 if fields[position].split(b" ")[4][:1] in b"RC" else 1
        raw.append((fields[position], fields[position + 1 : position + 1 + count]))
        position += 1 + count
    counts = []
    for _, paths in raw:
        counts.append(fields[position])
        position += 1 if len(paths) == 1 else 3
    sections = _sections(b"\0".join(fields[position:]).lstrip(b"\0"))
    return tuple(
        _change(meta, paths, numbers, sections)
        for (meta, paths), numbers in zip(raw, counts, strict=True)
    )


def _sections(patches: bytes) -> Iterator[bytes]:
    """The text of each file's patch; lines of content never begin with `diff`."""
    text = b"\n" + patches
    yield from text.split(b"\ndiff --git ")[1:]


def _change(
    meta: bytes, paths: list[bytes], numbers: bytes, sections: Iterator[bytes]
) -> FileChange:
    old_mode, new_mode, old_oid, new_oid, letter = meta.decode().lstrip(":").split(" ")
    kind = letter[0]
    patch = _hunks(next(sections, b""))
    if kind == "T":  # git prints a change of type as a removal and an addition
        patch = _hunks(next(sections, b""))
    added, deleted = numbers.split(b"\t")[:2]
    only_mode = kind == "M" and old_mode != new_mode and old_oid == new_oid
    return FileChange(
        path=paths[-1].decode("utf-8", "replace"),
        previous_path=paths[0].decode("utf-8", "replace") if len(paths) == 2 else None,
        status="changed" if only_mode else _STATUS.get(kind, "changed"),
        oid=old_oid if kind == "D" else new_oid,
        additions=0 if added == b"-" else int(added),
        deletions=0 if deleted == b"-" else int(deleted),
        patch=patch,
    )


def _hunks(section: bytes) -> str | None:
    start = section.find(b"\n@@ ")
    if start < 0:
        return None
    return section[start + 1 :].decode("utf-8", "replace").removesuffix("\n")
