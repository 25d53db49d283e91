"""Spans of a file are replaced, and everything else turns back into the same bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.line_editor import (
    Span,
    decode,
    encode,
    json_text,
    line_end,
    line_start,
    newline,
    replaced,
)
from bot.core.yaml_nodes import Scalar, parse


@given(st.binary())
def test_encode_undoes_decode(data: bytes) -> None:
    assert encode(decode(data)) == data


def test_spans_are_replaced_whatever_their_order() -> None:
    spans = [Span(start=4, end=5, text="FIVE"), Span(start=0, end=1, text=""), *[]]
    assert replaced("12345", spans) == "234FIVE"
    assert replaced("12345", [Span(start=2, end=2, text="+")]) == "12+345"
    assert replaced("12345", []) == "12345"


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("one\ntwo\n", 5, "two"),
        ("one\r\ntwo\r\n", 5, "two"),
        ("one\r\n", 1, "one"),
        ("one", 3, "one"),
        ("\n", 0, ""),
        ("a\rb\n", 0, "a\rb"),
        ("\r\n", 0, ""),
    ],
)
def test_the_line_of_a_position(text: str, position: int, expected: str) -> None:
    assert text[line_start(text, position) : line_end(text, position)] == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a", "\n"), ("\n", "\n")]
)
def test_an_added_line_ends_as_the_first_one_does(text: str, expected: str) -> None:
    assert newline(text) == expected


@given(st.text())
def test_a_json_text_reads_the_same_as_json_and_as_yaml(value: str) -> None:
    assert json.loads(json_text(value)) == value
    read = parse(f"a: {json_text(value)}").entries["a"].value
    assert isinstance(read, Scalar)
    assert read.text == value


def test_a_json_text_stays_readable() -> None:
    assert json_text("größe 🚀") == '"größe 🚀"'
    assert json_text('a"b\n\u2028') == '"a\\"b\\n\\u2028"'
