"""Changing a few characters of a file and nothing else: what every format's writing rests on.

A file is text that turns back into the very same bytes, whatever its encoding; an edit replaces a
span of it. Where a field stands is the format's business.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# What json.dumps leaves as it is, although YAML reads it otherwise or an editor may lose it.
_UNSAFE: Final = re.compile("[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """Characters start to end of a text, and what is to stand there instead."""

    start: int
    end: int
    text: str


def decode(data: bytes) -> str:
    """Bytes as text. Those that are not UTF-8 become lone surrogates, and encode undoes it."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that decode was given."""
    return text.encode("utf-8", "surrogateescape")


def replaced(text: str, spans: Iterable[Span]) -> str:
    """The text with spans replaced; they must not overlap."""
    parts, position = [], 0
    for span in sorted(spans):
        parts += [text[position : span.start], span.text]
        position = span.end
    return "".join([*parts, text[position:]])


def line_start(text: str, position: int) -> int:
    """Where the line begins that position lies in."""
    return text.rfind("\n", 0, position) + 1


def line_end(text: str, position: int) -> int:
    """Where the line ends that position lies in, before its line feed or CR LF."""
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    return end - 1 if end > position and text[end - 1] == "\r" else end


def newline(text: str) -> str:
    """How the first line of a text ends, and so a line that is added to it."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def json_text(value: str) -> str:
    """A text as a JSON string that YAML reads as the same text."""
    shown = json.dumps(value, ensure_ascii=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", shown)
