"""Paths that a text names, for formats whose memories have no list of links.

Whatever looks like a path is taken: one that no tree has covers no change, and so does no harm.
"""

import re
from typing import Final

from bot.core.precheck import parts_of

MAX_MENTIONS: Final = 100  # of one text; more cannot all be meant

_MAX_LENGTH: Final = 300  # characters of a path
_CODE: Final = re.compile(r"`([^`\n]{1,300})`")
_WORD: Final = re.compile(r"(?<![\w/.:@~-])[\w@+~.-]+(?:/[\w@+~.\[\]-]+)*")
_FILE: Final = re.compile(r"(?:.*[\w-])?\.[A-Za-z_][\w-]{0,30}")
_LINES: Final = re.compile(r"(?:#L|:)[0-9].*")  # `src/a.py:12`, `src/a.py#L3-L9`


def paths_in(text: str, *, limit: int = MAX_MENTIONS) -> tuple[str, ...]:
    """What a text names as a file or directory, each once, in order; relative, with `/`.

    That is each word with a slash or a file's suffix in it, and all that stands between back-ticks,
    where blanks may be part of it. An address on the web is none.
    """
    found: dict[str, None] = {}
    words = [(one.start(), one[0]) for one in _WORD.finditer(text)]
    words += [(one.start(), one[1]) for one in _CODE.finditer(text)]
    for _, word in sorted(one for one in words if "/" in one[1] or "." in one[1]):
        path = _path(word)
        if path is not None:
            found.setdefault(path)
        if len(found) == limit:
            break
    return tuple(found)


def _path(word: str) -> str | None:
    word = _LINES.sub("", word.strip()).rstrip(".,;").removeprefix("./").rstrip("/")
    if len(word) > _MAX_LENGTH or "://" in word or not ("/" in word or _FILE.fullmatch(word)):
        return None
    return word if parts_of(word) else None
