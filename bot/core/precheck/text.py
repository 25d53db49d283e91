"""Which memories speak of what a change speaks of.

A memory's score is BM25 summed over its fields, for the distinct terms of the change. A term weighs
by how rare it is among the project's memories and in software English at large, and less the more
of the project's earlier changes hold it. Its strength sets the score against what memories score on
such a change anyhow, its length and the memory's, so that one cut serves every project. The numbers
below were found on the history of public repositories whose commits cite their decision records.
"""

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import nlargest
from typing import Final

from bot.core.model import Memory
from bot.core.precheck.stems import general_idf
from bot.core.precheck.words import count_terms, is_pair, terms, words_of
from bot.core.report import TextHit
from bot.core.snapshot import History

NO_HISTORY: Final = History()
CUT: Final = 3.25  # strength from which a memory is shown
MAX_SHOWN: Final = 5  # text hits of one change
MAX_PLAN: Final = 16_000  # characters of plan that are read
MAX_PATHS: Final = 80  # changed paths whose words are read, the most telling ones
MAX_WORDS: Final = 6  # that explain a hit

_TELLING_SHARE: Final = 0.25  # of what the most telling word adds; less explains nothing
_K1: Final = 1.2
_B: Final = 0.75
_FIELD_WEIGHTS: Final = (2.0, 2.0, 1.0)  # title, tags, body
_PATH_WEIGHT: Final = 0.5  # of a term that only changed paths hold
_FEW_CHANGES: Final = 15  # a shorter history counts as this long
_UNDAMPED: Final = 0.75  # of a strength, when no history tells common words from telling ones
_RIVAL: Final = 6  # rank whose score shows what memories score on this change anyhow
_USUAL_SHARE: Final = 0.5  # of that score, taken off all
_TOO_COMMON: Final = 1000  # memories that hold a term; one of more tells little and takes long
_USUAL_LENGTH: Final = 600  # terms of a memory whose strength is left as it is
_SHORTEST_MEMORY: Final = 40  # terms; a shorter one counts as this long
_SHORTEST_CHANGE: Final = 25  # distinct terms; likewise


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A memory that shares a term with a change."""

    number: int  # the memory's place in the index
    hit: TextHit


class TextIndex:
    """The words of some memories, ready for the changes of many pull requests."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        texts = (
            [memory.title for memory in memories],
            [" ".join(memory.tags) for memory in memories],
            [memory.body for memory in memories],
        )
        self._fields = tuple(map(_Field, _FIELD_WEIGHTS, texts))
        self._length_factors = [
            (max(_SHORTEST_MEMORY, sum(lengths)) / _USUAL_LENGTH) ** 0.25
            for lengths in zip(*(each.lengths for each in self._fields), strict=True)
        ]
        self._scores = lru_cache(maxsize=4096)(self._score)

    def search(
        self,
        plan: str,
        paths: Iterable[str] = (),
        history: History = NO_HISTORY,
        *,
        cut: float = CUT,
    ) -> tuple[Found, ...]:
        """The memories of at least that strength, the strongest first, at most MAX_SHOWN.

        Equal input gives equal output, in whatever order the paths come.
        """
        change = _Change(said=terms(plan[:MAX_PLAN]), touched=self._terms_of_paths(paths))
        known = min(1.0, history.changes / _FEW_CHANGES)
        size = change.size / (_UNDAMPED + (1 - _UNDAMPED) * known)
        weights = {term: change.weight(term) * _damping(term, history) for term in change.terms}
        scores = self._sums(weights)
        usual = _USUAL_SHARE * _nth_largest(scores.values(), _RIVAL)
        strengths = {
            number: strength
            for number, score in scores.items()
            if (strength := (score - usual) / size / self._length_factors[number]) >= cut
        }
        return self._found(strengths, change, weights, MAX_SHOWN)

    def look_up(self, words: str, *, limit: int) -> tuple[Found, ...]:
        """The memories that hold any of the words, the best first: what somebody asks for.

        Unlike a change, a question is never too weak to be answered.
        """
        asked = _Change(said=terms(words[:MAX_PLAN]), touched={})
        weights = dict.fromkeys(asked.terms, 1.0)
        return self._found(self._sums(weights), asked, weights, limit)

    def _sums(self, weights: Mapping[str, float]) -> dict[int, float]:
        """The score of each memory that holds a term of some weight."""
        scores: dict[int, float] = {}
        for term, weight in weights.items():
            if weight > 0:
                for number, score in self._scores(term).items():
                    scores[number] = scores.get(number, 0.0) + weight * score
        return scores

    def _found(
        self,
        strengths: Mapping[int, float],
        change: "_Change",
        weights: Mapping[str, float],
        limit: int,
    ) -> tuple[Found, ...]:
        """The strongest ones, each with the words that it shares."""
        chosen = sorted(strengths.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        return tuple(
            Found(number=number, hit=self._hit(number, change, weights, strength))
            for number, strength in chosen
        )

    def _terms_of_paths(self, paths: Iterable[str]) -> dict[str, str]:
        """The distinct terms of the changed paths that tell most, each with the word of a path."""
        chosen = sorted(set(paths))
        if len(chosen) > MAX_PATHS:
            worth = cache(self._worth)
            told = {path: sum(map(worth, words_of(path))) for path in chosen}
            chosen.sort(key=lambda path: (-told[path], path))
        return terms("\n".join(chosen[:MAX_PATHS]))

    def _worth(self, word: str) -> float:
        """How much a word of a path can tell: nothing when no memory holds it."""
        held = [term for term in terms(word) if any(term in each.postings for each in self._fields)]
        return sum(map(general_idf, held))

    def _score(self, term: str) -> Mapping[int, float]:
        """What a term adds to the score of each memory that holds it."""
        general = general_idf(term)
        if max(len(each.postings.get(term, ())) for each in self._fields) > _TOO_COMMON:
            return {}
        total: dict[int, float] = {}
        for each in self._fields:
            for number, score in each.score(term, general):
                total[number] = total.get(number, 0.0) + score
        return total

    def _hit(
        self, number: int, change: "_Change", weights: Mapping[str, float], strength: float
    ) -> TextHit:
        """The words of the change that a memory shares, the most telling first.

        A pair repeats its words, so it is named only where those alone weigh nothing.
        """
        shares = {
            term: share
            for term, weight in weights.items()
            if (share := weight * self._scores(term).get(number, 0.0)) > 0
        }
        named = [term for term in shares if not is_pair(term)] or list(shares)
        least = _TELLING_SHARE * max((shares[term] for term in named), default=0.0)
        telling = [term for term in named if shares[term] >= least]
        telling.sort(key=lambda term: (-shares[term], term))
        words = tuple(dict.fromkeys(map(change.word, telling)))[:MAX_WORDS]
        said = {change.said[term] for term in telling if term in change.said}
        of_paths = tuple(word for word in words if word not in said)
        return TextHit(words=words, of_paths=of_paths, strength=strength)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """The terms of a change, each with the word that holds it."""

    said: Mapping[str, str]  # in title and body
    touched: Mapping[str, str]  # in changed paths

    @property
    def terms(self) -> list[str]:
        """All terms, in an order that makes sums of floats come out alike."""
        return sorted({*self.said, *self.touched})

    @property
    def size(self) -> float:
        """By how much a change of so many terms scores higher on any memory."""
        squares = len(self.said) + _PATH_WEIGHT**2 * len(self.touched.keys() - self.said.keys())
        return math.sqrt(max(_SHORTEST_CHANGE, squares))

    def weight(self, term: str) -> float:
        return 1.0 if term in self.said else _PATH_WEIGHT

    def word(self, term: str) -> str:
        return self.said.get(term) or self.touched[term]


class _Field:
    """One field of all memories: who holds which term how often."""

    def __init__(self, weight: float, texts: Sequence[str]) -> None:
        self.lengths: list[int] = []  # terms, repeats included
        self.postings: dict[str, array[int]] = {}  # term -> number of the memory << 8 | times
        for number, text in enumerate(texts):
            counted = count_terms(text)
            self.lengths.append(sum(counted.values()))
            for term, times in counted.items():
                posting = number << 8 | min(times, 255)
                if (known := self.postings.get(term)) is None:
                    self.postings[term] = array("Q", (posting,))
                else:
                    known.append(posting)
        self._weight = weight
        self._mean = sum(self.lengths) / max(1, len(self.lengths))

    def score(self, term: str, general: float) -> Iterator[tuple[int, float]]:
        """What a term adds to each memory that holds it in this field."""
        postings = self.postings.get(term, ())
        held = len(postings)
        own = math.log(1 + (len(self.lengths) - held + 0.5) / (held + 0.5))
        most = self._weight * (own + general) / 2 * (_K1 + 1)
        for posting in postings:
            number, times = posting >> 8, posting & 255
            length = 1 - _B + _B * self.lengths[number] / self._mean
            yield number, most * times / (times + _K1 * length)


def _damping(term: str, history: History) -> float:
    """What is left of a term's weight: 1 when new to the project's changes, 0 when in half."""
    share = history.terms.get(term, 0) / max(_FEW_CHANGES, history.changes)
    return max(0.0, 1 - 2 * share)


def _nth_largest(numbers: Collection[float], n: int) -> float:
    """0 when there are fewer."""
    return nlargest(n, numbers)[-1] if len(numbers) >= n else 0.0
