"""Why a memory applies, in words."""

from bot.core.report import LinkHit, Match, TextHit
from bot.render.markdown import code, line


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


def _words(hit: TextHit) -> str:
    return f"this change speaks of {', '.join(f'*{line(word, 40)}*' for word in hit.words)}"
