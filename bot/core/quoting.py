"""Other people's words, cut to length where a text of ours quotes them.

The first 29 of a credential's 40 characters look like any word. So nothing is cut before what it
holds of credentials is out, and before that what hides between their letters: here that is one
step. Whoever shows a text takes out what was short enough to stay whole (bot/render/markdown.py).
"""

from typing import Final

from bot.core.secrets import redacted
from bot.core.unicode import unhidden

MARGIN: Final = 4_096  # characters: no credential is longer, but for keys that show by their head


def cut(text: str, limit: int) -> str:
    """At most limit characters, with an ellipsis where something was left out."""
    if len(text) <= limit:
        return text
    return f"{opening(text, limit)[: limit - 1].rstrip()}…"


def opening(text: str, limit: int) -> str:
    """Roughly the first limit characters of a text, as people see them, without credentials.

    They are looked for in some more, of which the end is left out: what begins there may be the
    beginning of one.
    """
    seen = redacted(unhidden(text[: limit + MARGIN]))
    return seen if len(text) <= limit + MARGIN else seen[:-MARGIN]
