"""Texts are cut after what they hold of credentials is out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.quoting import MARGIN, cut, opening
from tests.making import github_token

TOKEN = github_token()


def test_what_fits_stays_as_it_is() -> None:
    assert cut(TOKEN, 40) == TOKEN
    assert cut("a long text", 6) == "a lon…"
    assert cut("a   long text", 4) == "a…"


@pytest.mark.parametrize("hidden", ["", "\u200b", "\u034f" * 3])
def test_a_cut_through_a_token_leaves_none_of_it(hidden: str) -> None:
    for before in range(60):
        text = f"{'x' * before} {hidden.join(TOKEN)} end"
        assert TOKEN[:6] not in cut(text, 40)
        assert TOKEN[:6] not in opening(text, 40)


def test_the_end_of_what_is_looked_at_is_not_shown() -> None:
    for before in range(100 + MARGIN - 42, 100 + MARGIN):
        text = f"{' ' * before}{TOKEN}{' ' * MARGIN}"
        assert opening(text, 100).strip() == ""
    hidden = ("\u200b" * MARGIN).join(TOKEN)  # few of its letters are looked at
    assert TOKEN[:1] not in opening(f"{hidden} end", 100)


@given(st.text(), st.integers(1, 50))
def test_a_cut_is_as_short_as_it_should_be(text: str, limit: int) -> None:
    assert len(cut(text, limit)) <= limit
