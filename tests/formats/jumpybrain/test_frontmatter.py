"""The grammar, and edits that leave all else as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.line_editor import decode, encode
from bot.formats.jumpybrain.frontmatter import (
    block,
    parse,
    session_id,
    unquoted,
    with_fields,
    written,
)

# Whatever a file may hold; pieces that the grammar knows come often.
PIECES = st.lists(
    st.sampled_from([
        *("---\n", "---\r\n", " --- \n", "\ufeff", "id: x\n", 'id: "mem_1"\r\n', "tags: [a\n"),
        *("  id: y\n", "# c\n", "updated_at: 2020\n", "\n", "\r", "\x0c", "body", "id:\n", ": \n"),
    ])
    | st.text(max_size=5),
    max_size=12,
).map("".join)  # fmt: skip


@given(PIECES)
def test_every_field_stands_where_it_says(text: str) -> None:
    parts = parse(text)
    for name, field in parts.fields.items():
        line = text[field.start : field.end]
        assert line.startswith(f"{name}:")
        assert line[len(name) + 1 :].strip() == field.raw
        assert text.count("\n", 0, field.start) + 1 == field.line
    assert text.count("\n", 0, parts.body_start) + 1 == parts.body_line or text.endswith("---")
    assert parts.fields_start <= parts.fields_end <= parts.body_start <= len(text)


@given(PIECES, st.text(max_size=8))
def test_a_field_that_is_set_reads_back_and_the_rest_stays(text: str, value: str) -> None:
    before = parse(text)
    edited = with_fields(text, {"updated_at": written(value)}, first={"id": written("new")})
    after = parse(edited)
    assert after.text("updated_at") == value.encode("utf-8", "replace").decode() or "\\u" in edited
    assert after.text("id") == "new"
    others = {name: field.raw for name, field in before.fields.items()}
    kept = {name: field.raw for name, field in after.fields.items()}
    assert {**others, **{name: kept[name] for name in ("id", "updated_at")}} == kept
    assert edited.endswith(text[before.body_start :])
    again = with_fields(edited, {"updated_at": written(value)}, first={"id": written("new")})
    assert again == edited


@given(st.binary(max_size=60))
def test_bytes_come_back_as_they_were(data: bytes) -> None:
    edited = with_fields(decode(data), {}, first={"id": '"new"'})
    removed = with_fields(edited, {"id": None})
    if parse(decode(data)).has_frontmatter and "id" not in parse(decode(data)).fields:
        assert encode(removed) == data


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ('"a"', "a"),
        ("'a'", "a"),
        ('"a', '"a'),
        ('"', '"'),
        ('"a"b"', 'a"b'),
        (r'"a\"b"', 'a"b'),
        (r'"a\q"', r"a\q"),
        (r'"\ud83d\ude80"', "🚀"),
        (r'"\ud83d"', "\ufffd"),
        ("'a\"", "'a\""),
    ],
)
def test_quotes_are_taken_off(raw: str, text: str) -> None:
    assert unquoted(raw) == text


@pytest.mark.parametrize(
    ("raw", "items"),
    [
        ('["a b","c,d"]', ("a b", "c,d")),
        ("[a b, c , 'd', ,e]", ("a b", "c", "d", "e")),
        ("[1.10, true, null]", ("1.10", "true", "null")),
        ("[NaN]", ("NaN",)),
        ("[]", ()),
        ("word", ("word",)),
        ("", ()),
        ("[" * 50_000 + "]", ("[" * 49_999,)),
    ],
)
def test_lists_are_json_or_split_at_commas(raw: str, items: tuple[str, ...]) -> None:
    parts = parse(f"---\ntags: {raw}\n---\n")
    assert parts.fields["tags"].items == items


@given(st.text(max_size=20), st.lists(st.text(max_size=8), max_size=3))
def test_what_writers_write_reads_back(title: str, tags: list[str]) -> None:
    parts = parse(block({"title": written(title), "tags": written(tags)}))
    assert parts.text("title") == title
    assert parts.fields["tags"].items == tuple(tags)


def test_lines_that_are_not_read_are_told() -> None:
    parts = parse("---\ntags:\n  - a\n# c\n\nid: 1\nid: 2\n---\n")
    assert parts.unread == (3,)
    assert parts.repeated == (("id", 7),)
    assert parts.text("id") == "2"


def test_an_older_spelling_of_the_session() -> None:
    assert session_id(parse("---\nsession_id: a\nsessionId: b\n---\n")) == "a"
    assert session_id(parse("---\nsessionId: b\n---\n")) == "b"


def test_time_does_not_grow_with_the_square() -> None:
    for text in (" " * 200_000, "---\n" + " \n" * 100_000, "---\n" + "a:" * 100_000):
        assert not parse(text).has_frontmatter
