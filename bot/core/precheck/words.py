"""Text to terms: what precheck counts and compares, in memories, changes and history alike.

A term is the stem of a word or a pair of neighbouring ones. A word is a run of letters, digits and
`_`; all else parts words, in sentences and paths alike. An identifier counts as its parts, so that
`connection_pool` and "connection pool" are the same terms: connect, pool and the pair of both.
"""

import re
from collections import Counter
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer

from bot.core.unicode import composed

MAX_WORD: Final = 64  # characters; a longer run is data, not language

_UNSEEN: Final = re.compile(r"<!--.*?(?:-->|\Z)|https?://\S+", re.DOTALL)
_WORD: Final = re.compile(r"\w+")
_SEAM: Final = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STOP_WORDS: Final = frozenset(
    """
    about after again all also although am an and another any are aren as at be because been
    before being both but by can cannot could couldn did didn do does doesn doing don done down
    during each either else ever every few for from had hadn has hasn have haven having he her
    here him his how however if in into is isn it its itself just like ll may me might more most
    much must my neither no nor not now of off on once only onto or other our out over own per
    re same shall she should shouldn since so some such than that the their them then there
    these they this those through thus to too under until up us ve very via was wasn we were
    weren what when where whether which while who whose why will with within without won would
    wouldn yet you your
    """.split()  # noqa: SIM905 -- a list of as many literals is harder to read
)


def terms(text: str) -> dict[str, str]:
    """The distinct terms of what a change says, each with the first words that hold it, as written.

    A pair is two stems with a blank between. Templates hide instructions in HTML comments, and
    addresses are no language: both are left out. Linear in the text's length; never raises.
    """
    words = words_of(_UNSEEN.sub(" ", text))
    stems = [(stem, word) for word in words for stem in _stems_of(word)]
    found: dict[str, str] = {}
    for stem, word in stems:
        found.setdefault(stem, word)
    for (stem, word), (other, next_word) in pairwise(stems):
        found.setdefault(f"{stem} {other}", f"{word} {next_word}")
    return found


def is_pair(term: str) -> bool:
    """Whether a term is a pair of stems."""
    return " " in term


def count_terms(text: str) -> dict[str, int]:
    """How often a memory's text holds each of its terms."""
    stems = [stem for word in words_of(text) for stem in _stems_of(word)]
    return Counter(chain(stems, map(" ".join, pairwise(stems))))


def words_of(text: str) -> list[str]:
    """The words of a text as they stand there, repeats included."""
    found: list[str] = _WORD.findall(composed(text))
    return found


@lru_cache(maxsize=1 << 17)
def _stems_of(word: str) -> tuple[str, ...]:
    if len(word) > MAX_WORD:
        return ()
    return tuple(stem for part in _SEAM.split(word) if (stem := _stem(part)))


def _stem(part: str) -> str:
    """The stem of a word in lower case; "" for one that tells nothing."""
    part = part.lower()
    if len(part) < 2 or part.isdigit() or part in _STOP_WORDS:
        return ""
    if not (part.isascii() and part.isalpha()):
        return part
    # A stemmer keeps state while it works, so threads must not share one.
    stem: str = EnglishStemmer().stemWord(part)
    return stem
