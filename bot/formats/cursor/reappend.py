"""A branch's own entries put behind those that the base has gained (spec/cursor.md, "Conflicts").

Two branches that append to one file conflict, though both only add. What the base has stays as it
is; the branch's own entries follow as they are, under other ids where theirs are taken.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.core.model import Severity
from bot.formats.cursor import grammar
from bot.formats.cursor.append import InvalidEntries, Refused, free_id, ids_of, with_block
from bot.formats.cursor.grammar import Entry
from bot.formats.cursor.validate import File, problems_of, read_file, secrets_of

_NUMBERED: Final = re.compile(r"(.*-(?:state|decision|pattern))-[0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reappended:
    """Files as they are to be."""

    contents: Mapping[str, bytes] = field(repr=False)  # by name; only those with own entries
    ids: tuple[str, ...]  # of the branch's own entries, in order, as they are now
    renamed: Mapping[str, str]  # old id -> new one


def reappend(
    fork: Mapping[str, bytes], base: Mapping[str, bytes], head: Mapping[str, bytes]
) -> Reappended:
    """Plan the files of base with the entries that head has gained since fork.

    All three by name: where the branch began, the tip of the base branch, and the branch. Raises
    Refused where the branch does more than to append, InvalidEntries where the result would break
    rules that the base keeps.
    """
    before = {file.name: file for file in _read(fork)}
    known = {block for file in before.values() for block in _blocks(file)}
    there = {file.name: frozenset(_blocks(file)) for file in _read(base)}
    taken = set(ids_of(_read(base)))
    own: list[tuple[str, str, Entry]] = []  # file, block, entry
    renamed: dict[str, str] = {}
    tried: dict[str, int] = {}
    for file in _read(head):
        _must_only_append(before.get(file.name), file)
        for entry, block in zip(file.blocks.entries, _blocks(file), strict=True):
            # What the base has just so was put behind it before.
            if block not in known and block not in there.get(file.name, ()):
                own.append((file.name, block, entry))
                id_ = free_id(_unnumbered(entry.id, taken), taken, tried)
                taken.add(id_)
                if id_ != entry.id:
                    renamed[entry.id] = id_
    blocks: dict[str, list[str]] = {}  # by file
    for name, block, _ in own:
        blocks.setdefault(name, []).append(_renamed(block, renamed))
    contents = {
        name: with_block(base.get(name, b""), "\n".join(some)) for name, some in blocks.items()
    }
    _must_be_sound(base, {**base, **contents})
    ids = tuple(renamed.get(entry.id, entry.id) for _, _, entry in own)
    return Reappended(contents=contents, ids=ids, renamed=renamed)


def refuse_secrets(base: Mapping[str, bytes], contents: Mapping[str, bytes]) -> None:
    """Raise InvalidEntries where contents hold what looks like a credential and base does not."""
    known = set(secrets_of(_read(base)))
    found = [one for one in secrets_of(_read(contents)) if one not in known]
    if found:
        raise InvalidEntries(found)


def _read(files: Mapping[str, bytes]) -> tuple[File, ...]:
    return tuple(read_file(name, data) for name, data in sorted(files.items()))


def _blocks(file: File) -> list[str]:
    """Its entries, each exactly as it stands."""
    return [grammar.block(file.text, entry) for entry in file.blocks.entries]


def _must_only_append(fork: File | None, head: File) -> None:
    kept = _blocks(fork) if fork else []
    if head.blocks.faults or _blocks(head)[: len(kept)] != kept:
        raise Refused(
            "not-appended",
            f"This branch does more to {head.name} than to append: what it began with is edited, "
            "moved or gone. Put that back first, or merge by hand.",
        )
    if _prose(head) != (_prose(fork) if fork else _prose(head)):
        raise Refused(
            "not-appended", f"{head.name} also changes text outside of entries. Merge it by hand."
        )


def _prose(file: File) -> list[str]:
    """What stands outside of entries, word by word."""
    parts, at = [], 0
    for entry in file.blocks.entries:
        parts.append(file.text[at : entry.start])
        at = entry.end
    return "".join([*parts, file.text[at:]]).split()


def _unnumbered(id_: str, taken: set[str]) -> str:
    """An id to number anew: itself while it is free, else without the number that it has."""
    found = _NUMBERED.fullmatch(id_)
    return found[1] if found and id_ in taken else id_


def _renamed(block: str, renamed: Mapping[str, str]) -> str:
    """A block under its new id, and with links to the branch's own entries under theirs."""
    (entry,) = grammar.blocks(block).entries
    lines = block.split("\n")
    for name in ("id", "links"):
        found = entry.fields.get(name)
        values: Sequence[str] = found.items if found else ()
        if found and any(value in renamed for value in values):
            new = [renamed.get(value, value) for value in values]
            said = f"[{', '.join(new)}]" if found.is_list else new[0]
            lines[found.line - 1] = f"{name}: {said}"
    return "\n".join(lines)


def _must_be_sound(base: Mapping[str, bytes], files: Mapping[str, bytes]) -> None:
    """Raise for what is wrong in files and was not in the base, which they begin as."""
    known = set(problems_of(_read(base)))
    found = [one for one in problems_of(_read(files)) if one not in known]
    errors = [one for one in found if one.severity is Severity.ERROR]
    if errors:
        raise InvalidEntries(errors)
    for file in _read(base):
        if _blocks(read_file(file.name, files[file.name]))[: len(_blocks(file))] != _blocks(file):
            raise Refused("not-appended", f"{file.name} would not keep what the base has.")
