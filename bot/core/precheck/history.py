"""Counting a project's earlier changes: which words say nothing because every change has them."""

from collections import Counter
from collections.abc import Iterable

from bot.core.precheck.text import MAX_PLAN
from bot.core.precheck.words import terms
from bot.core.snapshot import History


def count(changes: Iterable[str]) -> History:
    """The counts of some changes, each one text of its title, body and changed paths."""
    number = 0
    found: Counter[str] = Counter()
    for change in changes:
        number += 1
        found.update(terms(change[:MAX_PLAN]).keys())
    return History(changes=number, terms=dict(found))
