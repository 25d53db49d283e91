"""Words and terms of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.precheck.words import MAX_WORD, count_terms, is_pair, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Connections connect", ["connect"], id="one stem, once"),
        pytest.param("the retries of this", ["retri"], id="words of every text"),
        pytest.param("retryCount", ["retri", "count"], id="camel case"),
        pytest.param("HTTPServer", ["http", "server"], id="an acronym in front"),
        pytest.param("max_pool_size", ["max", "pool", "size"], id="underscores"),
        pytest.param("__init__", ["init"], id="underscores around one word"),
        pytest.param("src/db/pool.py", ["src", "db", "pool", "py"], id="a path"),
        pytest.param("don't touch engine's 42 x", ["touch", "engin"], id="nothing to tell"),
        pytest.param("sha256 2024", ["sha256"], id="digits count inside a word"),
        pytest.param("Größe cafe\u0301", ["größe", "café"], id="other letters, composed"),
        pytest.param("x" * (MAX_WORD + 1), [], id="data, not language"),
        pytest.param("a <!-- tell us why --> pool", ["pool"], id="a template's hidden text"),
        pytest.param("pool <!-- never closed", ["pool"], id="hidden to the end"),
        pytest.param("pool https://example.com/docs#why", ["pool"], id="an address"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_the_stems_of_a_text(text: str, expected: list[str]) -> None:
    assert [term for term in terms(text) if not is_pair(term)] == expected


@pytest.mark.parametrize(
    "text",
    ["connection pool", "the pool of connections: pool", "connection_pool", "connectionPool"],
)
def test_neighbours_are_a_pair_however_they_are_joined(text: str) -> None:
    assert "connect pool" in terms(text)
    assert count_terms(text)["connect pool"] == 1


def test_a_term_comes_with_the_first_word_that_holds_it_as_written() -> None:
    assert terms("PoolSize of pools") == {
        "pool": "PoolSize",
        "size": "PoolSize",
        "pool size": "PoolSize PoolSize",
        "size pool": "PoolSize pools",
    }


def test_terms_are_counted_with_their_repeats() -> None:
    assert count_terms("pool Pools poolSize") == {
        "pool": 3,
        "size": 1,
        "pool pool": 2,
        "pool size": 1,
    }


@given(st.text())
def test_any_text_has_terms_and_the_unseen_parts_add_none(text: str) -> None:
    counted = count_terms(text)
    assert terms(text).keys() <= counted.keys()
    assert all(times > 0 for times in counted.values())
