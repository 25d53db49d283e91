"""The lines between the markers: a pure function of the active memories.

They are read by coding agents: each memory with its ref, title and links, constraints first, then
what to do with them. No memory can add a line or a comment of its own.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from bot.core.model import Memory, MemoryType, Status
from bot.core.quoting import MARGIN, opening
from bot.core.unicode import unhidden

_MAX_TITLE: Final = 200  # characters
_MAX_LINKS: Final = 5  # per memory; precheck knows them all
_HEADING: Final = "## Project memory (MemoryRail)"
_INTRODUCTION: Final = (
    "Generated from the active memories in `.memoryrail/memories/`. Change those, not these lines."
)
_GROUPS: Final = (
    (MemoryType.CONSTRAINT, "Constraints: rules to follow"),
    (MemoryType.ATTEMPT, "Failed attempts: not to be tried again without a new reason"),
    (MemoryType.GOTCHA, "Gotchas: mistakes made once"),
    (MemoryType.DECISION, "Decisions: settled unless superseded"),
    (MemoryType.THREAD, "Threads: unfinished work and open questions"),
    (MemoryType.SESSION, "Sessions: handoffs and next steps"),
)
_INSTRUCTIONS: Final = """\
### How to use this memory

1. Before you change files, run the precheck of the MemoryRail program at hand with your plan and \
the paths. Without one, find what links those paths above. Read it in `.memoryrail/memories/`.
2. Cite what you rely on as `[per REF]`, in commit messages and pull requests too.
3. If your plan conflicts with a constraint or a decision, stop and ask. Do not work around it.
4. If an approach fails, record it as an attempt with the reason, so that nobody repeats it.
"""
_SAMPLE_REF: Final = "DEC-a3f9"  # the format document's own example, which blocks may quote
_REF: Final = re.compile(r"\b(?:DEC|CON|GOT|ATT|THR|SES)-[0-9a-f]{4}\b")
_ID: Final = re.compile(r"\b\d{8}-[\w-]+")


def rendering(memories: Iterable[Memory]) -> str:
    """Our lines for the active ones of memories, each ended by \\n. Their order does not matter."""
    active = sorted(
        (memory for memory in memories if memory.status is Status.ACTIVE),
        key=lambda memory: (not memory.pinned, memory.id, memory.path),
    )
    lines = [_HEADING, "", _INTRODUCTION, ""]
    for type_, heading in _GROUPS:
        if group := [memory for memory in active if memory.type is type_]:
            lines += [f"### {heading}", "", *map(_entry, group), ""]
    if not active:
        lines += ["There are no active memories.", ""]
    return "\n".join([*lines, _INSTRUCTIONS])


def is_ours(content: str) -> bool:
    """Whether the lines of a block are a rendering of ours, of whatever memories, or blank."""
    return not content.strip() or _unix(content).startswith(f"{_HEADING}\n\n{_INTRODUCTION}\n")


def is_in_step(content: str, memories: Sequence[Memory]) -> bool:
    """Whether a block's lines show the active memories: exactly where ours.

    Another tool's lines must show the ref (or, without any ref, the id) of each and of no other.
    """
    if is_ours(content):
        return _unix(content) == rendering(memories)
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    refs = frozenset(_REF.findall(content))
    if refs:
        told, expected = refs, frozenset(memory.ref for memory in active)
        allowed = (
            expected
            | {_SAMPLE_REF}
            | frozenset(_REF.findall("\n".join(memory.title for memory in active)))
        )
    else:
        told, expected = frozenset(_ID.findall(content)), frozenset(memory.id for memory in active)
        allowed = expected
    return expected <= told <= allowed


def _entry(memory: Memory) -> str:
    pinned = " (pinned)" if memory.pinned else ""
    links = [f"`{_plain(link).replace('`', '')}`" for link in memory.links[:_MAX_LINKS]]
    if len(memory.links) > _MAX_LINKS:
        links.append(f"{len(memory.links) - _MAX_LINKS} more")
    applies = f" [{', '.join(links)}]" if links else ""
    return f"- {memory.ref}{pinned}: {_plain(memory.title)}{applies}"


def _plain(text: str) -> str:
    """A text as one line that hides nothing and neither opens nor closes a comment.

    What looks like a credential is left out: the file is committed and read by agents.
    """
    text = text[: 2 * _MAX_TITLE + MARGIN]
    safe = opening(text, 2 * _MAX_TITLE)
    if safe != unhidden(text):
        text = safe
    kept = "".join(
        " " if category in {"Cc", "Zl", "Zp"} else "" if category in {"Cf", "Cs"} else character
        for character in text
        for category in (unicodedata.category(character),)
    )
    line = " ".join(kept.split())
    if len(line) > _MAX_TITLE:
        line = f"{line[: _MAX_TITLE - 1].rstrip()}…"
    return line.replace("<!--", "< !--").replace("-->", "-- >").replace("--!>", "--! >")


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")
