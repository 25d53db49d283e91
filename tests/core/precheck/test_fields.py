"""Texts as characters, and who holds them."""

import random

from hypothesis import given
from hypothesis import strategies as st

from bot.core.precheck.fields import Alphabet, Field

WORDS = st.lists(st.sampled_from(["pool", "size", "lock", "écran"]), max_size=8).map(" ".join)


def test_a_text_is_a_character_for_each_stem() -> None:
    alphabet = Alphabet()
    text = alphabet.spell("The connection pool, connectionPool and the pools")
    connect, pool = alphabet.get("connect"), alphabet.get("pool")
    assert connect
    assert pool
    assert text == connect + pool + connect + pool + pool
    assert alphabet.get("lock") is None


def test_characters_pass_over_those_that_are_none() -> None:
    alphabet = Alphabet()
    alphabet._next = 0xD7FF
    spelt = alphabet.spell("one two three four five")
    assert spelt.encode("utf-8").decode("utf-8") == spelt


@given(st.lists(WORDS, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_a_field_counts_stems_and_neighbours_whatever_came_and_went(
    texts: list[str], chance: random.Random
) -> None:
    alphabet, field = Alphabet(), Field()
    kept = dict(enumerate(alphabet.spell(text) for text in texts))
    for number in chance.sample(sorted(kept), len(kept)):
        field.add(number, kept[number])
    for number in chance.sample(sorted(kept), len(kept) // 2):
        field.remove(number)
        if chance.random() < 0.5:
            field.add(number, kept[number])
        else:
            del kept[number]
    pool, size = list(alphabet.spell("pool size"))
    for characters in ((pool,), (size,), (pool, size), (pool, pool)):
        expected = {
            number: times for number, text in kept.items() if (times := _times(text, characters))
        }
        assert dict(field.counted(characters)) == expected
        for number in kept:
            assert field.times(characters, number) == expected.get(number, 0)
    assert field.length == sum(max(0, 2 * len(text) - 1) for text in kept.values())


def _times(text: str, characters: tuple[str, ...]) -> int:
    if len(characters) == 1:
        return text.count(characters[0])
    return sum(map(text.count, {"".join(characters), "".join(characters[::-1])}))
