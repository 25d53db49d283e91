"""The two comments around the managed block, in any tool's spelling.

A marker is an HTML comment alone on its line whose text begins with memoryrail and start, begin or
end. It counts wherever it stands, in fenced code too: what is a marker must never be a guess.
"""

import re
from dataclasses import dataclass
from typing import Final

from bot.core.errors import BotError

START: Final = "<!-- memoryrail:start -->"
END: Final = "<!-- memoryrail:end -->"

_MARKER: Final = re.compile(
    r"^\ufeff?[ \t]*<!--[ \t]*memoryrail[ \t:_./-]*(?P<kind>start|begin|end)\b"
    r"(?:(?!-->)[^\n])*-->[ \t]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)


class MarkersError(BotError):
    """Markers that leave open what lies between them: nothing may be written.

    rule is unbalanced-markers or duplicate-markers, or bad-encoding for a file that is no text.
    """

    def __init__(self, rule: str, problem: str, *, line: int) -> None:
        super().__init__(f"line {line}: {problem} ({rule})")
        self.rule, self.problem, self.line = rule, problem, line  # line counts from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The one block of a file. text[start:end] are the lines between the markers."""

    start: int
    end: int
    line: int  # of the start marker, from 1
    newline: str  # that ends the start marker's line, and so the lines of the block


def find(text: str) -> Block | None:
    """The managed block of a file, None without one.

    Raises MarkersError when markers are unpaired, reversed, nested or doubled.
    """
    markers = [(mark["kind"].lower() != "end", mark) for mark in _MARKER.finditer(text)]
    if not markers:
        return None
    for number, (opens, mark) in enumerate(markers):
        if opens != (number % 2 == 0):
            problem = "another block begins inside the block" if opens else "no block begins above"
            raise MarkersError("unbalanced-markers", problem, line=_line(text, mark))
    if len(markers) % 2:
        line = _line(text, markers[-1][1])
        raise MarkersError("unbalanced-markers", "the block that begins here has no end", line=line)
    if len(markers) > 2:
        line = _line(text, markers[2][1])
        raise MarkersError("duplicate-markers", "the file has a second block", line=line)
    first, last = markers[0][1], markers[1][1]
    return Block(
        start=first.end() + 1,
        end=last.start(),
        line=_line(text, first),
        newline="\r\n" if first[0].endswith("\r") else "\n",
    )


def _line(text: str, mark: re.Match[str]) -> int:
    return 1 + text.count("\n", 0, mark.start())
