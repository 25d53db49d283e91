"""Hostile text as harmless Markdown.

Memory texts, titles, paths and user names are other people's words. Shown on GitHub they must not
mention anyone, link or cross-reference anything, hide or reorder text, break out of where they
stand, or hold a credential. Credentials are taken out before text is cut to length, all else is
neutralised after it: a cut must not undo it.
"""

import re
from typing import Final
from urllib.parse import quote

from bot.core.quoting import cut, opening
from bot.core.secrets import redacted
from bot.core.unicode import unhidden

_ZERO_WIDTH: Final = "&#8203;"  # breaks a mention or a reference, and cannot be seen
# Inline code, and addresses that GitHub would turn into links; what ends a sentence is no part.
_LITERAL: Final = re.compile(
    r"(?<!`)(?P<fence>`{1,3})(?!`)(?P<code>[^`\n]{1,500})(?P=fence)(?!`)"
    r"|(?P<url>(?:(?:https?|ftp)://|www\.|mailto:|xmpp:)[^\s<>`]{0,499}[^\s<>`.,:;!?])",
    re.IGNORECASE,
)
_HTML: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPECIAL: Final = re.compile(r"([\\`*_\[\]~|$])")
_LINE_START: Final = re.compile(r"^([#+=-]|\d{1,9}(?=[.)]))")
_REFERENCE: Final = re.compile(r"(@|#|\bGH-)(?=\w)", re.IGNORECASE)


def line(text: str, limit: int = 200) -> str:
    """One line of text, at most limit characters of it, safe in any line but a table's."""
    return _neutral(_one_line(text, limit))


def cell(markdown: str) -> str:
    """Markdown made by line or code for a table's cell, where a bar ends the cell even in code."""
    return re.sub(r"(?<!\\)\|", r"\\|", markdown)


def html(text: str, limit: int = 200) -> str:
    """One line inside an HTML element, where GitHub reads no Markdown but still sees mentions."""
    escaped = "".join(_HTML.get(char, char) for char in _one_line(text, limit))
    return _REFERENCE.sub(rf"\1{_ZERO_WIDTH}", escaped)


def code(text: str, limit: int = 200) -> str:
    """Text as inline code, whatever back-ticks it holds; "" for nothing."""
    shown = _one_line(text, limit)
    if not shown:
        return ""
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def excerpt(body: str, limit: int = 400) -> str:
    """The first paragraph of a Markdown body that is prose, on one line; "" for none."""
    for paragraph in re.split(r"\n[ \t]*\n", opening(body, 20 * limit)):
        stripped = paragraph.strip()
        if stripped and not stripped.startswith(("#", "```", "~~~", "<", "|", "---")):
            return line(stripped, limit)
    return ""


def fenced(lines: tuple[str, ...], language: str = "") -> str:
    """Lines as a code block that none of them can close."""
    shown = visible("\n".join(one.replace("\n", "") for one in lines)).split("\n")
    fence = "`" * max(3, 1 + max(map(_longest_run, shown), default=0))
    return "\n".join([f"{fence}{language}", *shown, fence])


def url_path(path: str) -> str:
    """A path as part of a URL. One that holds a credential leads nowhere."""
    return quote(redacted(path), errors="replace")


def visible(text: str) -> str:
    """Text without credentials, and without characters that hide, reorder or control.

    Tabs and line feeds stay.
    """
    return redacted(unhidden(text))


def _one_line(text: str, limit: int) -> str:
    return cut(" ".join(opening(text, 20 * limit).split()), limit)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)


def _neutral(text: str) -> str:
    parts = []
    position = 0
    for found in _LITERAL.finditer(text):
        parts.append(_prose(text[position : found.start()]))
        literal = found["url"] or found["code"]
        parts.append(code(literal, len(literal)))
        position = found.end()
    parts.append(_prose(text[position:]))
    return _LINE_START.sub(_escape_start, "".join(parts))


def _escape_start(found: re.Match[str]) -> str:
    """A list or a heading would begin: `1.` is escaped before its point, all else in front."""
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _prose(text: str) -> str:
    escaped = _SPECIAL.sub(r"\\\1", "".join(_HTML.get(char, char) for char in text))
    return _REFERENCE.sub(rf"\1{_ZERO_WIDTH}", escaped)
