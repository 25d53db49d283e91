"""Unicode's composed form, in time that grows with the text; and what of a text nobody sees."""

import re
import unicodedata
from typing import Final

MAX_MARKS: Final = 30  # combining marks in a row that languages use; UAX #15, stream-safe text

_LONG: Final = re.compile(rf"[^\x00-\x7f]{{{MAX_MARKS + 1},}}")

_INVISIBLE: Final = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def composed(text: str) -> str:
    """A text in NFC, without the marks that follow MAX_MARKS others.

    Thousands of marks on one letter, which no language has, would take normalization hours.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _LONG.sub(_thinned, text))


def unhidden(text: str) -> str:
    """A text as people see it: composed, without characters that hide, reorder or control.

    Tabs and line feeds stay.
    """
    return _INVISIBLE.sub("", composed(text))


def _thinned(found: re.Match[str]) -> str:
    kept, marks = [], 0
    for character in found[0]:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MAX_MARKS:
            kept.append(character)
    return "".join(kept)
