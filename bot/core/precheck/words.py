"""Text to terms: what precheck counts and compares, in memories, changes and history alike.

A word is a run of letters, digits and `_`; all else parts words, in sentences and paths alike. An
identifier counts as its parts and as a whole: `retryCount` is retry, count and retrycount.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer

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
    """The distinct terms of what a change says, each with the first word that holds it, as written.

    In the order of the text. Templates hide instructions in HTML comments, and addresses are no
    language: both are left out. Linear in the text's length; never raises.
    """
    found: dict[str, str] = {}
    for word in dict.fromkeys(words_of(_UNSEEN.sub(" ", text))):
        for term in _terms_of(word):
            found.setdefault(term, word)
    return found


def count_terms(text: str) -> dict[str, int]:
    """How often a memory's text holds each of its terms."""
    found: dict[str, int] = {}
    for word, times in Counter(words_of(text)).items():
        for term in _terms_of(word):
            found[term] = found.get(term, 0) + times
    return found


def words_of(text: str) -> list[str]:
    """The words of a text as they stand there, repeats included."""
    found: list[str] = _WORD.findall(unicodedata.normalize("NFC", text))
    return found


@lru_cache(maxsize=1 << 17)
def _terms_of(word: str) -> tuple[str, ...]:
    if len(word) > MAX_WORD:
        return ()
    parts = [part for part in _SEAM.split(word) if part]
    if len(parts) > 1:
        parts.append(word)
    return tuple(dict.fromkeys(term for part in parts if (term := _term(part))))


def _term(part: str) -> str:
    """The stem of a word in lower case; "" for one that tells nothing."""
    part = part.lower()
    if len(part) < 2 or part.isdigit() or part in _STOP_WORDS:
        return ""
    if not (part.isascii() and part.isalpha()):
        return part
    # A stemmer keeps state while it works, so threads must not share one.
    stem: str = EnglishStemmer().stemWord(part)
    return stem
