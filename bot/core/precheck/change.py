"""What a change says, in terms, and by what measure a memory's score on it becomes a strength."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.snapshot import History

_PATH_WEIGHT: Final = 0.5  # of a term that only changed paths hold
_SHORTEST_CHANGE: Final = 25  # distinct terms; a shorter one counts as this long
_FEW_CHANGES: Final = 15  # a shorter history counts as this long
_UNDAMPED: Final = 0.75  # of a strength, when no history tells common words from telling ones
_USUAL_LENGTH: Final = 600  # terms of a memory whose strength is left as it is
_SHORTEST_MEMORY: Final = 40  # terms; a shorter one counts as this long
_SMALL_PROJECT: Final = 30  # memories; a larger one brings more that are strong by chance
_CROWD: Final = 0.05  # taken off a strength each time that a project is e times as large
_LAG: Final = 0.15  # of how far a memory is behind the strongest, taken off it


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The terms of a change, each with the word that holds it."""

    said: Mapping[str, str]  # in title and body
    touched: Mapping[str, str]  # in changed paths
    history: History

    def weights(self) -> dict[str, float]:
        """The weight of each term, in an order that makes sums of floats come out alike."""
        return {term: self._weight(term) for term in sorted({*self.said, *self.touched})}

    @property
    def size(self) -> float:
        """By how much a change of so many terms scores higher on any memory."""
        of_paths = len(self.touched.keys() - self.said.keys())
        size = math.sqrt(max(_SHORTEST_CHANGE, len(self.said) + _PATH_WEIGHT**2 * of_paths))
        known = min(1.0, self.history.changes / _FEW_CHANGES)
        return size / (_UNDAMPED + (1 - _UNDAMPED) * known)

    def word(self, term: str) -> str:
        """The first words that hold a term, as written."""
        return self.said.get(term) or self.touched[term]

    def _weight(self, term: str) -> float:
        """1 for a term that is said and new to the project's changes, 0 for one that is in half.

        Pairs are not counted: one is as worn as that of its words which is less so.
        """
        times = min(self.history.counts.get(stem, 0) for stem in term.split(" "))
        worn = 2 * times / max(_FEW_CHANGES, self.history.changes)
        return max(0.0, 1 - worn) * (1 if term in self.said else _PATH_WEIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What scores on a change are measured by, so that one cut serves every change and project."""

    usual: float  # taken off every score
    change: float
    project: float
    best: float = 0.0  # the strongest memory, before lag is taken off

    def raw(self, score: float, length: float) -> float:
        """The strength of a memory with that length factor, before it is compared with the best."""
        return (score - self.usual) / (self.change * self.project * length)

    def lag(self, raw: float) -> float:
        """What is taken off a memory for being behind the best."""
        return _LAG * (self.best - raw)

    def strength(self, score: float, length: float) -> float:
        """The strength of a memory with that length factor."""
        raw = self.raw(score, length)
        return raw - self.lag(raw)


def length_factor(length: int) -> float:
    """By how much a memory of so many terms scores higher on any change."""
    return math.sqrt(math.sqrt(max(_SHORTEST_MEMORY, length) / _USUAL_LENGTH))


def project_factor(memories: int) -> float:
    """By how much the memories of a project of that size are strong by chance."""
    return 1 + _CROWD * math.log(max(1.0, memories / _SMALL_PROJECT))
