"""The words of memories, one field at a time, in a shape that is small and quick to ask.

Each stem of a project is one character of a made-up alphabet, so a text is a string with a
character for each of its words. How often it holds a stem, or two as neighbours, is then what
str.count finds out, and pairs need no index of their own.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Final

from bot.core.precheck.words import stems_of, words_of

MAX_STEMS: Final = (
    1_000_000  # of one project, as many as there are characters for; more are left out
)
WIDEST_PAIR: Final = (
    2_000  # memories that hold both stems of a pair, at most; more are not looked at
)

_FIRST: Final = 0x100
_SURROGATES: Final = range(0xD800, 0xE000)  # code points that are no characters


class Alphabet:
    """The stems of a project's memories, each with its character."""

    def __init__(self) -> None:
        self._characters: dict[str, str] = {}
        self._words = _Words(self._character)
        self._next = _FIRST

    def spell(self, text: str) -> str:
        """A text as characters, one for each stem; stems that are new get theirs."""
        spelt = self._words
        return "".join([spelt[word] for word in words_of(text)])

    def get(self, stem: str) -> str | None:
        """The character of a stem; None for one that no memory ever held."""
        return self._characters.get(stem)

    def _character(self, stem: str) -> str:
        found = self._characters.get(stem)
        if found is None:
            if len(self._characters) == MAX_STEMS:
                return ""
            if self._next == _SURROGATES.start:
                self._next = _SURROGATES.stop
            found = self._characters[stem] = chr(self._next)
            self._next += 1
        return found

    def __len__(self) -> int:
        return len(self._characters)


class _Words(dict[str, str]):
    """Words as written, each with the characters of its stems; made up when first asked for."""

    def __init__(self, character: Callable[[str], str]) -> None:
        super().__init__()
        self._character = character

    def __missing__(self, word: str) -> str:
        found = self[word] = "".join(map(self._character, stems_of(word)))
        return found


class Field:
    """One field of all memories: which of them hold which term how often.

    Memories are numbers; the text of each is spelt in one Alphabet.
    """

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.length = 0  # of all texts, in terms
        self._holders: defaultdict[str, list[int]] = defaultdict(list)  # by character, sorted
        self._highest = -1  # number so far

    def add(self, number: int, text: str) -> None:
        """Take in the text of a memory that is not there yet."""
        self.texts[number] = text
        self.length += terms_in(text)
        holders = self._holders
        if number > self._highest:
            for character in set(text):
                holders[character].append(number)
            self._highest = number
        else:
            for character in set(text):
                insort(holders[character], number)

    def remove(self, number: int) -> None:
        """Forget the text of a memory."""
        text = self.texts.pop(number)
        self.length -= terms_in(text)
        for character in set(text):
            held = self._holders[character]
            del held[bisect_left(held, number)]
            if not held:
                del self._holders[character]

    def holds(self, character: str) -> bool:
        """Whether any memory holds a stem."""
        return character in self._holders

    def holders(self, characters: Sequence[str]) -> Collection[int]:
        """The memories that hold a stem, or two of them, be it as neighbours or not."""
        fewest, *rest = sorted((self._holders.get(one, ()) for one in characters), key=len)
        if not rest or not fewest:
            return fewest
        return {*fewest}.intersection(*rest) if len(fewest) <= WIDEST_PAIR else ()

    def times(self, characters: Sequence[str], number: int) -> int:
        """How often a memory holds a stem, or two of them as neighbours."""
        text = self.texts[number]
        ways = {"".join(characters), "".join(characters[::-1])}
        return sum(map(text.count, ways))

    def counted(self, characters: Sequence[str]) -> list[tuple[int, int]]:
        """The memories that hold a stem, or two as neighbours, each with how often."""
        first, *rest = sorted({"".join(characters), "".join(characters[::-1])})
        texts = self.texts
        found = [(number, texts[number].count(first)) for number in self.holders(characters)]
        for way in rest:
            found = [(number, times + texts[number].count(way)) for number, times in found]
        return [pair for pair in found if pair[1]] if len(characters) > 1 else found

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        held = sum(map(len, self._holders.values()))
        return 9 * held + 150 * len(self._holders) + 60 * len(self.texts) + 2 * self.length


def terms_in(text: str) -> int:
    """How many terms a spelt text holds, repeats included: its stems, and the pairs of them."""
    return max(0, 2 * len(text) - 1)
