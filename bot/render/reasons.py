"""Why a memory applies, in words."""

from collections.abc import Iterable
from typing import Final

from bot.core.report import LinkHit, Match, TextHit
from bot.render.markdown import code, line

# Of the strength of a text hit (spec/precheck.md).
_CLEAR: Final = 4.5
_STRONG: Final = 6.5
_MAX_WORDS: Final = 4  # in a phrase


def why(match: Match) -> str:
    """The strongest reason as one short phrase in Markdown; `why` as a command tells them all."""
    first = match.links[0] if match.links else None
    if match.pinned:
        return "applies to every change"
    if first is None:
        return _words(match.text) if match.text else ""
    if first.broad and match.text:
        return f"{_link(first)}, and it {_words(match.text)}"
    return _link(first)


def _link(hit: LinkHit) -> str:
    if hit.renamed_from:
        return f"renamed from {code(hit.path)}"
    return f"{code(hit.link)} is linked"


def strength(hit: TextHit) -> str:
    """How much a memory and the change speak of the same."""
    if hit.strength < _CLEAR:
        return "weak"
    return "clear" if hit.strength < _STRONG else "strong"


def said(hit: TextHit) -> tuple[str, str]:
    """The words of title and description, and those of changed paths alone, in Markdown."""
    of_text = (word for word in hit.words if word not in hit.of_paths)
    return _emphasised(of_text), _emphasised(hit.of_paths)


def _emphasised(words: Iterable[str]) -> str:
    return ", ".join(f"*{line(word, 40)}*" for word in words)


def _words(hit: TextHit) -> str:
    return f"speaks of {_emphasised(hit.words[:_MAX_WORDS])}"
