"""Ignore marks that a line can carry, as gitleaks, betterleaks and detect-secrets know them."""

import re
from typing import Final

_REACH: Final = 4096  # bytes of a line that are looked at on each side of a finding
_SAME_LINE = re.compile(rb"(?:gitleaks|betterleaks):allow\b|pragma: ?allowlist[ -]secret\b")
_NEXT_LINE = re.compile(rb"pragma: ?allowlist[ -]nextline[ -]secret\b")


def is_marked(data: bytes, start: int) -> bool:
    """Whether the line on which a finding starts carries a mark, or the line before marks it."""
    line_start = data.rfind(b"\n", max(0, start - _REACH), start) + 1 or max(0, start - _REACH)
    line_end = data.find(b"\n", start, start + _REACH)
    if _SAME_LINE.search(data, line_start, start + _REACH if line_end < 0 else line_end):
        return True
    if not line_start or data[line_start - 1] != 10:
        return False
    previous = data.rfind(b"\n", max(0, line_start - 1 - _REACH), line_start - 1) + 1
    return bool(_NEXT_LINE.search(data, max(previous, line_start - 1 - _REACH), line_start))
