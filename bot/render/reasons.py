"""Why a memory applies, in words."""

from collections.abc import Iterable
from typing import Final

from bot.core.report import LinkHit, Match, TextHit
from bot.render.markdown import code, line

# Of the strength of a text hit, which is 3.25 at least (bot/core/precheck/text.py).
_CLEAR: Final = 4.5
_STRONG: Final = 6.5


def because(match: Match) -> tuple[str, ...]:
    """Each reason as a clause in Markdown, the strongest first; never empty for a real match."""
    reasons = []
    if match.pinned:
        reasons.append("it is pinned: it applies to every change")
    if match.links:
        reasons.append(_links(match.links))
    if match.text is not None:
        reasons.append(_words(match.text))
    return tuple(reasons)


def _links(hits: tuple[LinkHit, ...]) -> str:
    first = hits[0]
    more = len({hit.path for hit in hits}) - 1
    others = f" (and {more} more)" if more else ""
    path = code(first.path)
    if first.renamed_from:
        path = f"{path}, renamed here,"
    if first.exact:
        return f"{path}{others} is what it links"
    return f"{path}{others} lies under {code(first.link)}, which it links"


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
    of_text, of_paths = said(hit)
    parts = [f"this change speaks of {of_text}"] if of_text else []
    parts += [f"its paths speak of {of_paths}"] if of_paths else []
    return " and ".join(parts)
