"""Sections of a body, and those that a wrap-up must have (spec/jumpybrain.md, "Wrap-ups")."""

import re
from itertools import zip_longest
from typing import Final, NamedTuple

WRAPUP: Final = ("Findings", "Decisions", "Conflicts / Corrections", "Open Questions")
NONE_CAPTURED: Final = "- None captured."

_HEADING: Final = re.compile(r"^##[^\S\n]+(\S[^\n]*)$", re.MULTILINE)


class Section(NamedTuple):
    """A heading of level two and what stands below it, to the next one."""

    name: str  # blanks folded
    text: str  # without the blanks around it
    line: int  # of the heading, counting the body's first as 1


class Lacking(NamedTuple):
    """What a wrap-up lacks: names of WRAPUP, in that order."""

    missing: tuple[str, ...]
    empty: tuple[tuple[str, int], ...]  # with the line of the heading, counted in the body


def sections(body: str) -> tuple[Section, ...]:
    """The sections of a body in their order. A code fence hides no heading."""
    found = list(_HEADING.finditer(body))
    line, counted = 1, 0
    result = []
    for one, following in zip_longest(found, found[1:]):
        line, counted = line + body.count("\n", counted, one.start()), one.start()
        text = body[one.end() : following.start() if following else None].strip()
        result.append(Section(" ".join(one[1].split()), text, line))
    return tuple(result)


def section(body: str, name: str) -> Section | None:
    """The first section of a name, whatever its case."""
    wanted = name.casefold()
    return next((one for one in sections(body) if one.name.casefold() == wanted), None)


def lacking(body: str) -> Lacking:
    """Which strict sections a wrap-up's body lacks. Of equal headings the first one counts."""
    found: dict[str, Section] = {}
    for one in sections(body):
        found.setdefault(one.name.casefold(), one)
    missing, empty = [], []
    for name in WRAPUP:
        there = found.get(name.casefold())
        if there is None:
            missing.append(name)
        elif not there.text:
            empty.append((name, there.line))
    return Lacking(tuple(missing), tuple(empty))
