"""The added lines of a patch: unified hunks, as GitHub and git write them.

Only the hunks count; what stands before them (git's file header) is skipped. A patch is hostile
text, so nothing here raises. A file that turns to UTF-16 where git no longer looks has a patch,
whose lines are read like any other text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from bot.core.contents import narrowed
from bot.core.snapshot import AddedBlock

_HUNK: Final = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@")


def added_blocks(path: str, patch: str) -> tuple[AddedBlock, ...]:
    """Collect the added lines of one file's patch, each run of neighbours as one block.

    path: of the new file. Blocks come in the order of their lines. A line's text is without its
    end, be it LF or CR LF. A combined diff (of a merge, "@@@") has no blocks.
    """
    blocks: list[AddedBlock] = []
    run: list[str] = []
    old_left = new_left = 0  # lines of the hunk that are still to come
    line = 0  # of the new file, the next one
    for text in patch.split("\n"):
        added = new_left > 0 and text.startswith("+")
        if run and not added and not text.startswith("\\"):
            blocks.append(_block(path, line, run))
            run = []
        if old_left <= 0 and new_left <= 0:
            if hunk := _HUNK.match(text):
                old_left, new_left = _count(hunk[1]), _count(hunk[3])
                line = int(hunk[2])
        elif added:
            run.append(text[1:].removesuffix("\r"))
            line, new_left = line + 1, new_left - 1
        elif text.startswith("-"):
            old_left -= 1
        elif not text.startswith("\\"):  # "\ No newline at end of file" is no line
            line, old_left, new_left = line + 1, old_left - 1, new_left - 1
    if run:
        blocks.append(_block(path, line, run))
    return tuple(blocks)


def whole(path: str, text: str) -> tuple[AddedBlock, ...]:
    """Take all lines of a new file as added; none for an empty file."""
    if not text:
        return ()
    return (AddedBlock(path=path, start=1, text="\n".join(_lines(text))),)


def added_between(path: str, old: str, new: str) -> tuple[AddedBlock, ...]:
    """Collect the lines of new that old lacks: for contents that come without a patch.

    Takes time in proportion to the texts, however they differ. A line that only moved counts as
    added where old does not have it often enough.
    """
    left = Counter(_lines(old))
    lines = _lines(new) if new else []
    is_new = []
    for text in lines:
        is_new.append(left[text] <= 0)
        left[text] -= 1
    return _runs(path, lines, is_new)


def added_to_all(path: str, new: str, olds: Iterable[str]) -> tuple[AddedBlock, ...]:
    """Collect the lines of new that none of the older versions has: what a merge itself brings."""
    known = {line for old in olds for line in _lines(old)}
    lines = _lines(new) if new else []
    return _runs(path, lines, [text not in known for text in lines])


def size_of(blocks: Iterable[AddedBlock]) -> int:
    """Characters that blocks hold: what they take of a budget."""
    return sum(len(block.text) for block in blocks)


def _runs(path: str, lines: Sequence[str], is_new: Sequence[bool]) -> tuple[AddedBlock, ...]:
    """The lines that are new, each run of neighbours as one block."""
    blocks: list[AddedBlock] = []
    run: list[str] = []
    for line, (text, new) in enumerate(zip(lines, is_new, strict=True), start=1):
        if new:
            run.append(text)
        elif run:
            blocks.append(_block(path, line, run))
            run = []
    if run:
        blocks.append(_block(path, len(lines) + 1, run))
    return tuple(blocks)


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _count(number: str | None) -> int:
    return 1 if number is None else int(number)


def _block(path: str, next_line: int, run: list[str]) -> AddedBlock:
    return AddedBlock(path=path, start=next_line - len(run), text=narrowed("\n".join(run)))
