"""How the strength of a text hit came about, for a terminal and for programs."""

from collections.abc import Iterator

from bot.core.report import TextHit
from bot.render.markdown import visible
from bot.render.terminal import plain


def text(hit: TextHit | None) -> Iterator[str]:
    """The sum and its shares as lines, the largest share first; none for a match without words."""
    if hit is None or hit.arithmetic is None:
        return
    sums = hit.arithmetic
    yield (
        f"strength {hit.strength:.2f} = (score {sums.score:.2f} - usual {sums.usual:.2f}) / "
        f"(change {sums.change:.2f} * length {sums.length:.2f} * project {sums.project:.2f}) "
        f"- behind the strongest {sums.lag:.2f}"
    )
    for share in sums.shares:
        where = zip(("title", "tags", "body"), share.times, strict=True)
        held = ", ".join(f"{name} {times}" for name, times in where if times)
        yield f"{share.adds:>7.2f}  {plain(share.words, 60)}  (weight {share.weight:.2f}; {held})"


def document(hit: TextHit | None) -> dict[str, object] | None:
    """The same as plain values; None for a match without words."""
    if hit is None or hit.arithmetic is None:
        return None
    sums = hit.arithmetic
    return {
        "score": round(sums.score, 3),
        "usual": round(sums.usual, 3),
        "change": round(sums.change, 3),
        "length": round(sums.length, 3),
        "project": round(sums.project, 3),
        "lag": round(sums.lag, 3),
        "shares": [
            {
                "words": visible(share.words),
                "adds": round(share.adds, 3),
                "weight": round(share.weight, 3),
                "times": dict(zip(("title", "tags", "body"), share.times, strict=True)),
            }
            for share in sums.shares
        ],
    }
