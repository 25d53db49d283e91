"""The block in its file: how it stands to the memories, and the file with the block in step.

What lies outside the markers stays byte for byte, whatever its encoding.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.model import Memory, Status
from bot.core.report import BlockState
from bot.core.sync.block import is_in_step, is_ours, rendering
from bot.core.sync.markers import END, START, MarkersError, find

_MAX_DIFF_LINES: Final = 2000  # of either side; a longer file is not compared line by line
_CURSOR_HEAD: Final = (
    "---\n"
    "description: Project memory from MemoryRail, constraints first\n"
    "alwaysApply: true\n"
    "---\n"
    "\n"
)  # without it Cursor does not apply a rule by itself; https://docs.cursor.com/context/rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a file's block stands to the memories."""

    state: BlockState
    ours: bool = True  # our rendering, in step or not; False: another tool's
    line: int = 1  # of the start marker, or of what is damaged
    problem: str = ""  # what is damaged
    rule: str = ""  # the kind of damage, as in MarkersError


def standing(data: bytes | None, memories: Sequence[Memory]) -> Standing:
    """How the block in a file stands to the active ones of memories. None: there is no file."""
    try:
        text = _decode(data or b"")
        block = find(text)
    except MarkersError as error:
        return Standing(
            state=BlockState.DAMAGED, line=error.line, problem=error.problem, rule=error.rule
        )
    if block is None:
        return Standing(state=BlockState.ABSENT)
    content = text[block.start : block.end]
    state = BlockState.IN_STEP if is_in_step(content, memories) else BlockState.OUT_OF_STEP
    return Standing(state=state, ours=is_ours(content), line=block.line)


def place(data: bytes | None, memories: Sequence[Memory], *, path: str) -> bytes:
    """The file with its block in step; the same bytes where it is already.

    A file without a block gets one at its end. data None: there is no file, and it is made.
    Another tool's block in step is left as it is, unless there is nothing for it to show: then its
    lines could be anything. Raises MarkersError, when nothing may be written.
    """
    text = _decode(data or b"")
    block = find(text)
    if block is None:
        return _encode(text + _addition(text, memories, path))
    content = text[block.start : block.end]
    shows = any(memory.status is Status.ACTIVE for memory in memories)
    if is_in_step(content, memories) and (shows or is_ours(content)):
        return data or b""
    return _encode(text[: block.start] + _lines(memories, block.newline) + text[block.end :])


def difference(data: bytes, memories: Sequence[Memory], *, path: str) -> tuple[str, ...]:
    """The unified diff, without line ends, that brings the block of a file into step.

    Empty where it is in step, absent or damaged, and for a file too long to compare.
    """
    if standing(data, memories).state is not BlockState.OUT_OF_STEP:
        return ()
    old = _show(data)
    new = _show(place(data, memories, path=path))
    if max(len(old), len(new)) > _MAX_DIFF_LINES:
        return ()
    return tuple(difflib.unified_diff(old, new, path, path, lineterm=""))


def _addition(text: str, memories: Sequence[Memory], path: str) -> str:
    newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    before = _CURSOR_HEAD if not text and path.endswith(".mdc") else ""
    if text:
        before = newline if text.endswith("\n") else 2 * newline
    return f"{before}{START}{newline}{_lines(memories, newline)}{END}{newline}"


def _lines(memories: Sequence[Memory], newline: str) -> str:
    return rendering(memories).replace("\n", newline)


def _show(data: bytes) -> list[str]:
    return [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]


def _decode(data: bytes) -> str:
    """Bytes as text that _encode turns back into the very same bytes."""
    if b"\0" in data:
        problem = "the file holds a NUL byte, so it is no text and no block can stand in it"
        raise MarkersError("bad-encoding", problem, line=1 + data.count(b"\n", 0, data.index(0)))
    return data.decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
