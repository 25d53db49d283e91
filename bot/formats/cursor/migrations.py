"""One-shot migrations between versions of the format (spec/cursor.md, "Versions").

To add one: implement the new rule in validate.py, register here what turns an entry of the old
version into one of the new, then bump SCHEMA_VERSION in versions.py and keep the old version among
KNOWN_SCHEMA_VERSIONS, so that old entries still pass while they are migrated. A field that may be
left out needs none of this.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.core.line_editor import Span, decode, encode, replaced
from bot.formats.cursor import grammar
from bot.formats.cursor.grammar import Entry
from bot.formats.cursor.versions import SCHEMA_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """From one version to the next: gives the text of an entry's block, markers included."""

    source: str
    target: str
    migrate: Callable[[str, Entry], str]  # the block's text and what it reads as


MIGRATIONS: Final[tuple[Step, ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmigrated:
    """An entry of a version from which no step leads on."""

    name: str  # of the file
    line: int
    id: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """What migrating comes to."""

    contents: Mapping[str, bytes] = field(repr=False)  # of the files that change, by name
    ids: tuple[str, ...] = ()  # of the entries that change
    left: tuple[Unmigrated, ...] = ()


def migrate(
    files: Mapping[str, bytes],
    *,
    steps: Sequence[Step] = MIGRATIONS,
    current: str = SCHEMA_VERSION,
) -> Migrated:
    """Bring every entry to the current version. One that names no version is of it already."""
    by_source = {step.source: step for step in steps}
    contents: dict[str, bytes] = {}
    ids: list[str] = []
    left: list[Unmigrated] = []
    for name, data in sorted(files.items()):
        text = decode(data)
        spans = []
        for entry in grammar.blocks(text).entries:
            version = entry.text("schema_version") or current
            if version == current:
                continue
            block = _migrated(text[entry.start : entry.end], version, by_source, current)
            if block is None:
                left.append(Unmigrated(name=name, line=entry.line, id=entry.id, version=version))
            else:
                spans.append(Span(start=entry.start, end=entry.end, text=block))
                ids.append(entry.id)
        if spans:
            contents[name] = encode(replaced(text, spans))
    return Migrated(contents=contents, ids=tuple(ids), left=tuple(left))


def _migrated(block: str, version: str, steps: Mapping[str, Step], current: str) -> str | None:
    """A block taken from step to step; None where the way does not lead to the current version."""
    seen = set[str]()
    while version != current:
        step = steps.get(version)
        entries = grammar.blocks(block).entries
        if step is None or version in seen or len(entries) != 1:
            return None
        seen.add(version)
        block, version = step.migrate(block, entries[0]), step.target
    return block
