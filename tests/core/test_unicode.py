"""Unicode's composed form."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.unicode import MAX_MARKS, composed


@pytest.mark.parametrize("text", ["", "plain", "e\u0301", "Å", "한국어", "資料庫" * 50])
def test_ordinary_text_is_in_nfc(text: str) -> None:
    assert composed(text) == unicodedata.normalize("NFC", text)


@given(st.text(max_size=MAX_MARKS))
def test_short_runs_are_never_thinned(text: str) -> None:
    assert composed(text) == unicodedata.normalize("NFC", text)


def test_marks_beyond_those_that_languages_use_go() -> None:
    """In time that grows with the text: this would take minutes otherwise."""
    hostile = "a" + "\u0301\u0316" * 300_000 + "b"
    assert len(composed(hostile)) <= 2 + MAX_MARKS
    assert composed(hostile).endswith("b")
