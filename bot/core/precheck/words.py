"""Text to terms: what precheck counts and compares, in memories, changes and history alike.

A term is the stem of a word or a pair of neighbouring ones, in either order. A word is a run of
letters, digits and `_`; all else parts words, in sentences and paths alike. An identifier counts as
its parts, so that `connection_pool`, "connection pool" and "pool of connections" are the same
terms: connect, pool and the pair of both. A capital within a word begins a part, unless one of the
parts would be shorter than MIN_HUMP: SQLite, PyPI and gRPC are words, not two of them.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer

from bot.core.unicode import composed

MAX_WORD: Final = 64  # characters; a longer run is data, not language
MIN_HUMP: Final = 3  # letters of each part that capitals make of a word

_UNSEEN: Final = re.compile(r"<!--.*?(?:-->|\Z)|https?://\S+", re.DOTALL)
_WORD: Final = re.compile(r"\w+")
_BLANKS: Final = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
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

    Templates hide instructions in HTML comments, and addresses are no language: both are left out.
    Linear in the text's length; never raises.
    """
    stems = [(stem, word) for word in words_of(seen(text)) for stem in stems_of(word)]
    found: dict[str, str] = {}
    for stem, word in stems:
        found.setdefault(stem, word)
    for (stem, word), (other, next_word) in pairwise(stems):
        found.setdefault(pair(stem, other), f"{word} {next_word}")
    return found


def seen(text: str) -> str:
    """What of a change's text people see and mean as words."""
    return _UNSEEN.sub(" ", text)


def pair(stem: str, other: str) -> str:
    """The term for two neighbours, whichever comes first."""
    return f"{stem} {other}" if stem < other else f"{other} {stem}"


def is_pair(term: str) -> bool:
    """Whether a term is a pair of stems."""
    return " " in term


def words_of(text: str) -> list[str]:
    """The words of a text as they stand there, repeats included."""
    if text.isascii():  # as nearly all are; this takes a tenth of the time
        return text.translate(_BLANKS).split()
    found: list[str] = _WORD.findall(composed(text))
    return found


@lru_cache(maxsize=1 << 17)
def stems_of(word: str) -> tuple[str, ...]:
    """The stems of a word's parts, in their order; none for a word that tells nothing."""
    if len(word) > MAX_WORD:
        return ()
    return tuple(stem for part in _parts(word) if (stem := _stem(part)))


def _parts(word: str) -> Iterator[str]:
    for part in word.split("_"):
        humps = _HUMP.split(part)
        yield from humps if min(map(len, humps)) >= MIN_HUMP else [part]


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
