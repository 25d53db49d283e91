"""Words and terms of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.precheck.words import MAX_WORD, is_pair, seen, stems_of, terms, words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Connections connect", ["connect"], id="one stem, once"),
        pytest.param("the retries of this", ["retri"], id="words of every text"),
        pytest.param("retryCount", ["retri", "count"], id="camel case"),
        pytest.param("HTTPServer", ["http", "server"], id="an acronym in front"),
        pytest.param("SQLite sqlite", ["sqlite"], id="a name with capitals"),
        pytest.param("PyPI gRPC userId", ["pypi", "grpc", "userid"], id="short humps part nothing"),
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
def test_neighbours_are_a_pair_however_they_are_joined_and_whichever_comes_first(text: str) -> None:
    assert "connect pool" in terms(text)


def test_a_term_comes_with_the_first_word_that_holds_it_as_written() -> None:
    assert terms("PoolSize of pools") == {
        "pool": "PoolSize",
        "size": "PoolSize",
        "pool size": "PoolSize PoolSize",
    }


@given(st.text())
def test_any_text_has_terms_and_they_are_those_of_its_words(text: str) -> None:
    stems = [stem for word in words_of(seen(text)) for stem in stems_of(word)]
    assert [term for term in terms(text) if not is_pair(term)] == list(dict.fromkeys(stems))


@given(st.text(st.characters(codec="ascii")))
def test_plain_text_parts_as_any_other(text: str) -> None:
    assert words_of(text) == words_of(f"{text} é")[:-1]
