"""Which HTML elements are open in a comment: text within one is no top-level text."""

import re
from collections import Counter
from typing import Final

_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"]
)  # elements without an end tag; https://html.spec.whatwg.org/#void-elements


class HtmlElements:
    """Counts the tags that it is shown; an element that nobody closes stays open to the end."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @property
    def is_open(self) -> bool:
        """Whether an element is open here."""
        return any(self._open.values())

    def pass_over(self, html: str) -> None:
        """Take note of the tags in a piece of HTML."""
        for closing, name in _TAG.findall(_COMMENT.sub("", html)):
            element = name.lower()
            if element in _VOID:
                continue
            if not closing:
                self._open[element] += 1
            elif self._open[element]:
                self._open[element] -= 1
