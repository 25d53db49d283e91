"""Counting a project's earlier changes: which words and directories say nothing, being in most.

A change is counted under its keys: the stems of its words, and the directories that it touches as
paths with a slash at the end, which no stem has.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from bot.core.precheck.words import seen, stems_of, words_of
from bot.core.snapshot import History
from bot.core.unicode import composed

MAX_PLAN: Final = 16_000  # characters of plan that are read
MAX_PATHS: Final = 3_000  # changed paths of one change, which is as many as GitHub tells
MAX_DIRECTORIES: Final = 100  # of one change, the topmost
_MAX_DEPTH: Final = 4  # of a directory; one further down is not touched by most changes


def count(changes: Iterable[tuple[str, Collection[str]]]) -> History:
    """The counts of some changes, each given as its words (title, body) and its changed paths."""
    number = 0
    found: Counter[str] = Counter()
    for words, paths in changes:
        number += 1
        found.update(keys(words, paths))
    return History(changes=number, counts=dict(found))


def keys(words: str, paths: Collection[str]) -> frozenset[str]:
    """What a change is counted under, and what precheck asks the history for."""
    text = " ".join((seen(words[:MAX_PLAN]), *sorted(paths)[:MAX_PATHS]))
    stems = {stem for word in words_of(text) for stem in stems_of(word)}
    return frozenset(stems.union(_directories(paths)))


def _directories(paths: Collection[str]) -> list[str]:
    found = {directory for path in paths for directory in _above(composed(path))}
    return sorted(found, key=lambda one: (one.count("/"), one))[:MAX_DIRECTORIES]


def _above(path: str) -> Iterator[str]:
    end = path.find("/")
    for _ in range(_MAX_DEPTH):
        if end < 0:
            return
        yield path[: end + 1]
        end = path.find("/", end + 1)
