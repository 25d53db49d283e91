"""Which HTML is open in a comment: text within an element is no top-level text."""

import re
from collections import Counter
from typing import Final

_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)(\s*>)?")
_COMMENT_END: Final = re.compile(r"--!?>")
_VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"]
)  # elements without an end tag; https://html.spec.whatwg.org/#void-elements


class HtmlElements:
    """Counts the tags that it is shown; what nobody closes stays open to the end."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._swallows = False  # a comment or an end tag was begun, and all that follows is in it

    @property
    def is_open(self) -> bool:
        """Whether an element is open here."""
        return self._swallows or any(self._open.values())

    def pass_over(self, html: str, *, is_nested: bool = False) -> None:
        """Take note of the tags in a piece of HTML.

        is_nested: it stands in a quote or list, whose end closes elements, but no comment.
        """
        shown, is_closed = _without_comments(html)
        self._swallows = self._swallows or not is_closed
        for closing, name, end in _TAG.findall(shown):
            element = name.lower()
            if closing and not end:
                self._swallows = True
            elif is_nested:
                continue
            elif closing and self._open[element]:
                self._open[element] -= 1
            elif not closing and element not in _VOID:
                self._open[element] += 1


def _without_comments(html: str) -> tuple[str, bool]:
    """HTML without its comments, and whether the last one is closed."""
    parts = []
    position = 0
    while (start := html.find("<!--", position)) >= 0:
        parts.append(html[position:start])
        end = _COMMENT_END.search(html, start + 2)  # `<!-->` is a whole comment
        if end is None:
            return "".join(parts), False
        position = end.end()
    return "".join([*parts, html[position:]]), True
