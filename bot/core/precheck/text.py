"""Which memories speak of what a change speaks of (spec/precheck.md, "Words").

A memory's score is BM25 summed over its fields, for the distinct terms of the change. A term weighs
by how rare it is among the project's memories and in software English at large, and less the more
of the project's earlier changes hold it. Its strength sets the score against what other memories
score on such a change, its length, the memory's and the project's size, so that one cut serves
every project. The numbers here and in change were found on the history of public repositories
whose commits cite their decision records.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from heapq import nlargest, nsmallest
from typing import Final

from bot.core.model import Memory
from bot.core.precheck.change import Change, Scale, length_factor, project_factor
from bot.core.precheck.fields import Alphabet, Field, terms_in
from bot.core.precheck.history import MAX_PLAN
from bot.core.precheck.stems import general_idf
from bot.core.precheck.words import is_pair, stems_of, terms, words_of
from bot.core.report import Arithmetic, Share, TextHit
from bot.core.snapshot import History
from bot.core.thresholds import Thresholds

NO_HISTORY: Final = History()
DEFAULTS: Final = Thresholds()
MAX_PATHS: Final = 80  # changed paths whose words are read, the most telling ones
MAX_WORDS: Final = 6  # that explain a hit
MAX_BACKING: Final = 20  # linked memories whose words are told, the strongest
MAX_WEIGHED: Final = 1_000  # terms whose weights are kept for the next change
MAX_WORTHS: Final = 20_000  # directories and names of paths, likewise
BACKING_SHARE: Final = 0.5  # of the strength that shows a memory; this much backs a link up

_TELLING_SHARE: Final = 0.25  # of what the most telling word adds; less explains nothing
_K1: Final = 1.2
_B: Final = 0.75
_FIELD_WEIGHTS: Final = (2.0, 2.0, 1.0)  # title, tags, body
_RIVAL: Final = 6  # rank whose score shows what memories score on this change anyhow
_USUAL_SHARE: Final = 0.35  # of that score, taken off all
_TOO_COMMON: Final = 1000  # memories that hold a term; one of more tells little and takes long


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A memory that shares a term with a change."""

    number: int  # of the memory in the index
    hit: TextHit


class TextIndex:
    """The words of some memories, ready for the changes of many pull requests."""

    def __init__(self, memories: Iterable[Memory] = ()) -> None:
        """memories: numbered from 0."""
        self._alphabet = Alphabet()
        self._fields = tuple(Field() for _ in _FIELD_WEIGHTS)
        self._names: dict[int, tuple[str, str]] = {}  # decide between equals
        self._lengths: dict[int, float] = {}  # factors
        self._highest = -1  # number so far
        # What was worked out, as long as no memory comes or goes.
        self._weighed = lru_cache(maxsize=MAX_WEIGHED)(self._weigh)
        self._worth = lru_cache(maxsize=MAX_WORTHS)(self._tells)
        self._norms = cache(lambda: tuple(map(_norms, self._fields)))
        for number, memory in enumerate(memories):
            self.add(number, memory)

    def add(self, number: int, memory: Memory) -> None:
        """Take in a memory under a number that is free."""
        texts = (memory.title, " ".join(memory.tags), memory.body)
        spelt = [self._alphabet.spell(text) for text in texts]
        for field, text in zip(self._fields, spelt, strict=True):
            field.add(number, text)
        self._names[number] = (memory.id, memory.path)
        self._lengths[number] = length_factor(sum(map(terms_in, spelt)))
        self._highest = max(self._highest, number)
        self._forget()

    def remove(self, number: int) -> None:
        """Forget a memory."""
        for field in self._fields:
            field.remove(number)
        del self._names[number], self._lengths[number]
        self._forget()

    def _forget(self) -> None:
        for each in (self._weighed, self._worth, self._norms):
            each.cache_clear()

    @property
    def stems(self) -> int:
        """How many different stems it has met; it forgets none of them."""
        return len(self._alphabet)

    @property
    def size(self) -> int:
        """Bytes that it takes, about, without what it keeps of earlier changes."""
        return 500 * self.stems + sum(field.size for field in self._fields)

    @property
    def size_of_kept(self) -> int:
        """Bytes of what it keeps of earlier changes, about."""
        return 2 * len(self._names) * self._weighed.cache_info().currsize

    def search(
        self,
        plan: str,
        paths: Iterable[str] = (),
        history: History = NO_HISTORY,
        *,
        thresholds: Thresholds = DEFAULTS,
        linked: Collection[int] = (),
    ) -> tuple[Found, ...]:
        """The memories that are strong enough, the strongest first.

        linked: memories that are shown anyhow. Half the strength is enough for them, and they do
        not count among the few that words alone bring. Equal input gives equal output, in whatever
        order the paths come, and the memories came.
        """
        change = Change(
            said=terms(plan[:MAX_PLAN]), touched=self._terms_of_paths(paths), history=history
        )
        sums = self._sums(change.weights())
        strengths, scale = self._strengths(sums.totals, change)
        least = thresholds.min_strength
        alone = {n: one for n, one in strengths.items() if one >= least and n not in linked}
        backing = {
            n: strengths[n] for n in linked if strengths.get(n, 0.0) >= BACKING_SHARE * least
        }
        chosen = {
            **dict(self._strongest(alone, thresholds.text_hits)),
            **dict(self._strongest(backing, MAX_BACKING)),
        }
        found = [
            Found(number=number, hit=self._hit(number, change, sums, scale))
            for number, _ in self._strongest(chosen, len(chosen))
        ]
        # A link and its own path's words are one reason, not two.
        return tuple(one for one in found if one.number not in linked or one.hit.is_said)

    def look_up(self, words: str, *, limit: int) -> tuple[int, ...]:
        """The memories that hold any of the words, the best first: what somebody asks for.

        Unlike a change, a question is never too weak to be answered.
        """
        asked = sorted(terms(words[:MAX_PLAN]))
        totals = self._sums(dict.fromkeys(asked, 1.0)).totals
        return tuple(number for number, _ in self._strongest(totals, limit))

    def _strongest(self, strengths: Mapping[int, float], limit: int) -> list[tuple[int, float]]:
        return nsmallest(
            limit, strengths.items(), key=lambda pair: (-pair[1], self._names[pair[0]])
        )

    def _sums(self, weights: Mapping[str, float]) -> "_Sums":
        """The score of each memory that holds a term of some weight."""
        totals = [0.0] * (self._highest + 1)
        most: dict[str, tuple[float, ...]] = {}
        for term, weight in weights.items():
            weighed = self._weighed(term) if weight > 0 else None
            if weighed is None:
                continue
            most[term] = tuple(weight * each.most for each in weighed)
            for limit, each in zip(most[term], weighed, strict=True):
                for number, fraction in zip(each.numbers, each.fractions, strict=True):
                    totals[number] += limit * fraction
        scored = {number: total for number, total in enumerate(totals) if total}
        return _Sums(weights=weights, totals=scored, most=most)

    def _weigh(self, term: str) -> tuple["_Weighed", ...] | None:
        """What a term does in each field; None when no memory holds it, or very many do."""
        characters = self._characters(term)
        if characters is None:
            return None
        if max(len(field.holders(characters)) for field in self._fields) > _TOO_COMMON:
            return None
        general = general_idf(term)
        weighed = []
        for field, weight, norms in zip(self._fields, _FIELD_WEIGHTS, self._norms(), strict=True):
            held = field.counted(characters)
            # Inverse document frequency: halfway between the field's and that of software English.
            own = math.log(1 + (len(self._names) - len(held) + 0.5) / (len(held) + 0.5))
            weighed.append(
                _Weighed(
                    most=weight * (own + general) / 2 * (_K1 + 1),
                    numbers=[number for number, _ in held],
                    fractions=[times / (times + norms[number]) for number, times in held],
                )
            )
        return tuple(weighed) if any(each.numbers for each in weighed) else None

    def _characters(self, term: str) -> tuple[str, ...] | None:
        """One or two characters; None when no memory ever held one of the stems."""
        stems = term.split(" ")
        known = tuple(filter(None, map(self._alphabet.get, stems)))
        return known if len(known) == len(stems) else None

    def _strengths(
        self, totals: Mapping[int, float], change: Change
    ) -> tuple[dict[int, float], Scale]:
        """How strong each memory is on a change, and what that is measured by."""
        scale = Scale(
            usual=_USUAL_SHARE * _nth_largest(totals.values(), _RIVAL),
            change=change.size,
            project=project_factor(len(self._names)),
        )
        raw = {number: scale.raw(one, self._lengths[number]) for number, one in totals.items()}
        scale = replace(scale, best=max(raw.values(), default=0.0))
        return {number: one - scale.lag(one) for number, one in raw.items()}, scale

    def _terms_of_paths(self, paths: Iterable[str]) -> dict[str, str]:
        """The distinct terms of the changed paths that tell most, each with the word of a path."""
        chosen = sorted(set(paths))
        if len(chosen) > MAX_PATHS:
            told = {path: sum(map(self._worth, path.rpartition("/")[::2])) for path in chosen}
            chosen = nsmallest(MAX_PATHS, chosen, key=lambda path: (-told[path], path))
        return terms("\n".join(chosen))

    def _tells(self, part: str) -> float:
        """How much a directory or a name can tell: nothing by words that no memory holds."""
        stems = (stem for word in words_of(part) for stem in stems_of(word))
        return sum(general_idf(stem) for stem in stems if self._is_held(stem))

    def _is_held(self, stem: str) -> bool:
        character = self._alphabet.get(stem)
        return character is not None and any(field.holds(character) for field in self._fields)

    def _hit(self, number: int, change: Change, sums: "_Sums", scale: Scale) -> TextHit:
        """The words of the change that a memory shares, the most telling first.

        A pair repeats its words, so it is named only where those alone weigh nothing.
        """
        shares = {
            term: share
            for term in sums.most
            if (share := self._share(number, term, change, sums)) is not None
        }
        named = [term for term in shares if not is_pair(term)] or list(shares)
        least = _TELLING_SHARE * max((shares[term].adds for term in named), default=0.0)
        telling = [term for term in named if shares[term].adds >= least]
        telling.sort(key=lambda term: (-shares[term].adds, term))
        words = tuple(dict.fromkeys(map(change.word, telling)))[:MAX_WORDS]
        said = {change.said[term] for term in telling if term in change.said}
        score, length = sums.totals[number], self._lengths[number]
        return TextHit(
            words=words,
            of_paths=tuple(word for word in words if word not in said),
            strength=scale.strength(score, length),
            arithmetic=Arithmetic(
                score=score,
                usual=scale.usual,
                change=scale.change,
                length=length,
                project=scale.project,
                lag=scale.lag(scale.raw(score, length)),
                shares=tuple(sorted(shares.values(), key=lambda one: (-one.adds, one.words))),
            ),
        )

    def _share(self, number: int, term: str, change: Change, sums: "_Sums") -> Share | None:
        """What a term adds to a memory's score; None when that lacks it."""
        characters = self._characters(term) or ()
        times = tuple(field.times(characters, number) for field in self._fields)
        if not any(times):
            return None
        adds = 0.0
        for limit, often, norms in zip(sums.most[term], times, self._norms(), strict=True):
            adds += limit * often / (often + norms[number])
        weight = sums.weights[term]
        return Share(words=change.word(term), adds=adds, weight=weight, times=times)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """What a term does in one field."""

    most: float  # it can add to a score
    numbers: list[int]  # of the memories that hold it
    fractions: list[float]  # of most that it adds to each of them


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sums:
    """Scores of memories, and of what terms they are made."""

    weights: Mapping[str, float]  # by term
    totals: Mapping[int, float]  # by memory
    most: Mapping[str, tuple[float, ...]]  # by term: what it can add at most, in each field


def _norms(field: Field) -> dict[int, float]:
    """What a term's times are weighed against in each memory: the longer its text, the more."""
    mean = field.length / max(1, len(field.texts)) or 1.0
    return {
        number: _K1 * (1 - _B + _B * terms_in(text) / mean) for number, text in field.texts.items()
    }


def _nth_largest(numbers: Collection[float], n: int) -> float:
    """0 when there are fewer."""
    return nlargest(n, numbers)[-1] if len(numbers) >= n else 0.0
