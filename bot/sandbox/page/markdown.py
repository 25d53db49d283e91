"""Markdown as GitHub shows it in a conversation: GitHub's dialect, and only the HTML it keeps.

https://docs.github.com/en/get-started/writing-on-github. Left out: images (this page loads nothing
from elsewhere, so they become links), task lists, emoji names, mentions and references.
"""

from functools import lru_cache
from html import escape
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup

# https://github.com/gjtorikian/html-pipeline, as GitHub documents it, without media and ids.
_TAGS: Final = """
    a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure
    h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q rp rt ruby s samp small span strike strong
    sub summary sup table tbody td tfoot th thead time tr tt ul var wbr
"""
_ATTRIBUTES: Final = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "bdo": {"dir"},
    "details": {"open"},
    "ol": {"start"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
    "time": {"datetime"},
    **{name: {"align"} for name in ("div", "p", "h1", "h2", "h3", "h4", "h5", "h6")},
}
_CLEANER: Final = nh3.Cleaner(
    tags=set(_TAGS.split()),
    attributes=_ATTRIBUTES,
    allowed_classes={"span": {"added", "removed"}},  # lines of a `diff` block
    url_schemes={"http", "https", "mailto"},
    link_rel="nofollow noopener noreferrer",
)


@lru_cache(maxsize=512)
def render(text: str) -> Markup:
    """HTML that is safe to stand anywhere on a page, with every element closed."""
    return Markup(_CLEANER.clean(_MARKDOWN.render(text)))  # noqa: S704 (it was just cleaned)


def _colour(code: str, language: str, _attributes: str) -> str:
    """The inside of a code block; "" leaves it to the renderer."""
    if language != "diff":
        return ""
    kinds = {"+": "added", "-": "removed"}
    return "\n".join(
        f'<span class="{kinds[line[0]]}">{escape(line)}</span>'
        if line[:1] in kinds
        else escape(line)
        for line in code.split("\n")
    )


def _align(state: StateCore) -> None:
    """Say a cell's alignment without `style`, which the page's policy forbids."""
    for token in state.tokens:
        if token.type in {"th_open", "td_open"} and (style := token.attrs.pop("style", None)):
            token.attrs["align"] = str(style).removeprefix("text-align:")


def _markdown() -> MarkdownIt:
    options = {"html": True, "breaks": True, "highlight": _colour}
    parser = MarkdownIt("commonmark", options)
    parser.enable(["table", "strikethrough"]).disable("image")
    parser.core.ruler.push("align", _align)
    return parser


_MARKDOWN: Final = _markdown()
