"""Which memories precheck will hardly find: those that name nothing a later change would name."""

import re
from typing import Final

from bot.core.model import DURABLE, Memory, MemoryType, Problem, Severity, Status

RULE: Final = "names-nothing"
_MAX_READ: Final = 20_000  # characters of a body; what is named further down helps as little
_NAMES: Final = re.compile(
    r"`[^`\s]"  # code
    r"|\w[/\\]\w"  # a path
    r"|\w\.[A-Za-z]\w{0,9}\b"  # a file, or a member
    r"|\w_\w"  # snake case
    r"|[a-z0-9][A-Z]"  # camel case
    r"|\w\(\)"  # a call
    r"|(?<!\w)--\w"  # an option
)


def names_nothing(memory: Memory) -> Problem | None:
    """A notice for a memory that binds and names no path, file or identifier; else None.

    A pinned constraint is shown anyhow, and threads and sessions are never looked for.
    """
    if memory.type not in DURABLE or memory.status not in {Status.ACTIVE, Status.PROPOSED}:
        return None
    if memory.links or (memory.pinned and memory.type is MemoryType.CONSTRAINT):
        return None
    if any(map(_NAMES.search, (memory.title, *memory.tags, memory.body[:_MAX_READ]))):
        return None
    return Problem(
        path=memory.path,
        line=memory.lines.get("title", 1),
        rule=RULE,
        message="It has no links and names no path, file or identifier, so precheck has only "
        "ordinary words to find it by. Link what it is about, or name the files, functions or "
        "settings that a later change would name.",
        severity=Severity.NOTICE,
    )
