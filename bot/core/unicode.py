"""Unicode's composed form, in time that grows with the text and not with its square."""

import re
import unicodedata
from typing import Final

MAX_MARKS: Final = 30  # combining marks in a row that languages use; UAX #15, stream-safe text

_LONG: Final = re.compile(rf"[^\x00-\x7f]{{{MAX_MARKS + 1},}}")


def composed(text: str) -> str:
    """A text in NFC, without the marks that follow MAX_MARKS others.

    Thousands of marks on one letter, which no language has, would take normalization hours.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _LONG.sub(_thinned, text))


def _thinned(found: re.Match[str]) -> str:
    kept, marks = [], 0
    for character in found[0]:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MAX_MARKS:
            kept.append(character)
    return "".join(kept)
