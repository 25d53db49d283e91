"""Why a memory applies, in words that a reader can weigh."""

import pytest

from bot.core.precheck.text import CUT
from bot.core.report import Match, TextHit
from bot.render.reasons import because, strength
from tests.making import memory


@pytest.mark.parametrize(
    ("words", "of_paths", "reason"),
    [
        (("retry", "pool"), (), "this change speaks of *retry*, *pool*"),
        (("src", "retry"), ("src",), "this change speaks of *retry* and its paths speak of *src*"),
        (("src",), ("src",), "its paths speak of *src*"),
    ],
    ids=["said", "both", "changed paths alone"],
)
def test_words_of_changed_paths_are_told_as_such(
    words: tuple[str, ...], of_paths: tuple[str, ...], reason: str
) -> None:
    hit = TextHit(words=words, of_paths=of_paths, strength=5.0)
    assert because(Match(memory=memory(), store="", text=hit)) == (reason,)


def test_a_strength_is_a_word() -> None:
    told = [strength(TextHit(words=(), strength=each)) for each in (CUT, 4.49, 4.5, 6.5, 8.01)]
    assert told == ["weak", "weak", "clear", "strong", "strong"]
