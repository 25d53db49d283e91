"""Precheck: which memories apply to a change, why, and in what order.

Three reasons, each explained in the match: a constraint is pinned (index), a link covers a changed
path (links), or memory and change speak of the same thing (text, by the terms of words and the
table of stems). history counts the earlier changes that tell common words from telling ones.
"""

from bot.core.precheck.history import count, keys
from bot.core.precheck.index import Index, precheck
from bot.core.precheck.links import covering, covers, parts_of
from bot.core.precheck.text import TextIndex
from bot.core.precheck.words import terms

__all__ = [
    "Index",
    "TextIndex",
    "count",
    "covering",
    "covers",
    "keys",
    "parts_of",
    "precheck",
    "terms",
]
