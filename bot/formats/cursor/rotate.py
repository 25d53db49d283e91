"""Old entries moved to an archive beside their file (spec/cursor.md, "Rotation").

What stands before the first entry heads both files. Prose between two entries goes with the lower
one, whose heading it may be. Entries are moved as they are.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from bot.core.line_editor import decode, encode, newline
from bot.core.model import Severity
from bot.formats.cursor import grammar
from bot.formats.cursor.append import InvalidEntries, Refused
from bot.formats.cursor.grammar import Entry
from bot.formats.cursor.layout import is_shared
from bot.formats.cursor.validate import problems_of, read_file

_SHARED: Final = ".shared"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """Files as they are to be. Both are as before where nothing is moved."""

    moved: tuple[str, ...]  # ids, in order
    kept: int  # entries
    archive: str  # name of a file
    contents: Mapping[str, bytes] = field(repr=False)  # by name: the archive first


def rotate(
    name: str,
    files: Mapping[str, bytes],
    *,
    today: date,
    keep_last: int | None = None,
    since: str = "",
    force: bool = False,
) -> Rotated:
    """Plan to move entries of a file to its archive of today.

    keep_last: how many stay. since: those of that day or later stay, an ISO date or moment. force:
    also where none would stay. Raises Refused, InvalidEntries.
    """
    if name not in files:
        raise Refused("file-missing", f"There is no {name} here.")
    file = read_file(name, files[name])
    errors = [one for one in problems_of([file]) if one.severity is Severity.ERROR]
    if errors:
        raise InvalidEntries(errors)
    entries = file.blocks.entries
    stays = _stays(entries, keep_last, since)
    moved = [entry for number, entry in enumerate(entries) if not stays(number)]
    if moved and len(moved) == len(entries) and not force:
        raise Refused("would-empty", f"Nothing would be left in {name}. --force does it anyway.")
    archive = _archive(name, today)
    contents: dict[str, bytes] = {}
    if moved:
        text = decode(files[name])  # undecodable bytes stay as they are
        pieces = _Pieces(text)
        there = read_file(archive, files.get(archive, b""))
        blocks = {grammar.block(there.text, entry) for entry in there.blocks.entries}
        # What the archive has just so, a run put there that did not come to its end.
        known = {n for n, one in enumerate(entries) if grammar.block(file.text, one) in blocks}
        old, new = pieces.parted(stays, known)
        contents[archive] = encode(_behind(decode(files.get(archive, b"")), pieces.head, old))
        contents[name] = encode(pieces.head + new + pieces.tail)
    return Rotated(
        moved=tuple(entry.id for entry in moved),
        kept=len(entries) - len(moved),
        archive=archive,
        contents=contents,
    )


class _Pieces:
    """A file as what heads it, its entries, each with the prose above it, and what is left."""

    def __init__(self, text: str) -> None:
        entries = grammar.blocks(text).entries
        self._end = newline(text)
        self.head = text[: entries[0].start]
        ends = [entries[0].start, *(entry.end for entry in entries)]
        self._entries = [
            self._spaced(text[end : entry.start]) + self._closed(text[entry.start : entry.end])
            for end, entry in zip(ends, entries, strict=False)
        ]
        rest = text[ends[-1] :]
        self.tail = rest.lstrip("\r\n") if rest.strip() else ""

    def parted(self, stays: Callable[[int], bool], known: Collection[int]) -> tuple[str, str]:
        """The entries that go, but for those that are known there, and those that stay."""
        going = [
            one
            for number, one in enumerate(self._entries)
            if not stays(number) and number not in known
        ]
        staying = [one for number, one in enumerate(self._entries) if stays(number)]
        return "".join(going), "".join(staying)

    def _spaced(self, prose: str) -> str:
        """Prose between entries, with one blank line below it."""
        said = prose.strip("\r\n")
        return f"{said}{self._end * 2}" if said.strip() else ""

    def _closed(self, block: str) -> str:
        """An entry with a blank line below it."""
        return block.rstrip("\r\n") + self._end * 2


def _behind(archive: str, head: str, entries: str) -> str:
    """An archive with entries behind what it holds; a new one has the file's own heading."""
    if not archive.strip():
        return head + entries
    end = newline(archive)
    return archive.rstrip("\r\n") + end * 2 + entries


def _stays(entries: tuple[Entry, ...], keep_last: int | None, since: str) -> Callable[[int], bool]:
    if keep_last is not None:
        return lambda number: number >= len(entries) - keep_last
    return lambda number: entries[number].text("at") >= since


def _archive(name: str, today: date) -> str:
    """What is shared stays so: its archive is named so, too."""
    stem, shared = name.removesuffix(".md"), ""
    if is_shared(name):
        stem, shared = stem.removesuffix(_SHARED), _SHARED
    return f"{stem}.archive-{today.isoformat()}{shared}.md"
