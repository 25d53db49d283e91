"""Where an e-mail begins to quote what it answers: comments can be written by replying to mail.

Most programs quote with `>`, which Markdown knows. Others write a header and copy the text below.
"""

import re
from collections.abc import Sequence
from typing import Final

_SEPARATOR: Final = re.compile(r"-{2,}\s*(?:original|forwarded)\b[\w ]{0,20}-{2,}", re.IGNORECASE)
_FROM: Final = re.compile(r"\W{0,2}from:", re.IGNORECASE)
_HEADER: Final = re.compile(r"\W{0,2}(?:sent|date|to|subject):", re.IGNORECASE)
_ON: Final = re.compile(r"on\b.{0,300}", re.IGNORECASE)
_WROTE: Final = re.compile(r".{0,300}\bwrote:", re.IGNORECASE)


def quote_begins(lines: Sequence[str], followed_by_quote: bool) -> int | None:
    """The first of a paragraph's lines that belongs to quoted mail, None when none does.

    followed_by_quote: a Markdown quote follows, so `On … wrote:` as the last line announces it.
    """
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if _SEPARATOR.fullmatch(line.strip()):
            return number
        if _FROM.match(line) and _HEADER.match(following):
            return number
        if _ON.match(line):
            for end in range(number, min(number + 3, len(lines))):  # programs wrap the line
                if _WROTE.fullmatch(lines[end].strip()):
                    announces = followed_by_quote and end == len(lines) - 1
                    return None if announces else number
    return None
