"""The two parts of a memory file: YAML between two lines of three dashes, and Markdown below."""

import re
from dataclasses import dataclass
from typing import Final

from bot.core.yaml_nodes import Map, YamlError, parse

MAX_FRONTMATTER_BYTES: Final = 64 * 1024
FIRST_LINE: Final = 2  # of the frontmatter; the first line of the file is the opening one

_OPENING: Final = re.compile(r"---[ \t]*\r?\n")
_CLOSING: Final = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A memory file taken apart; nothing of it is changed."""

    frontmatter: str  # the lines between the dashes
    body: str  # what follows the closing line


def split(text: str) -> Parts | None:
    """Take a file's text apart. None when it does not begin with frontmatter.

    A byte order mark before the first line is passed over. Only the first closing line counts.
    Raises YamlError when there is none.
    """
    opening = _OPENING.match(text, 1 if text.startswith("\ufeff") else 0)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        raise YamlError("the line of three dashes that ends it is missing", line=1)
    return Parts(
        frontmatter=text[opening.end() : closing.start()],
        body=text[closing.end() :],
    )


def fields(parts: Parts) -> Map:
    """The frontmatter as nodes whose lines count in the whole file. Raises YamlError."""
    if len(parts.frontmatter.encode()) > MAX_FRONTMATTER_BYTES:
        raise YamlError(f"larger than {MAX_FRONTMATTER_BYTES // 1024} KiB", line=1)
    return parse(parts.frontmatter, first_line=FIRST_LINE)
