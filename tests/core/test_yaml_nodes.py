"""YAML from strangers: texts as written, lines of the file, and limits."""

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.yaml_nodes import MAX_DEPTH, Entry, Map, Scalar, Sequence, YamlError, parse


def value(text: str) -> object:
    """The value of the key `a`, as plain Python."""
    return _plain(parse(text).entries["a"].value)


def _plain(node: object) -> object:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    assert isinstance(node, Map)
    return {key: _plain(entry.value) for key, entry in node.entries.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 2026-10-10T17:30:00Z", "2026-10-10T17:30:00Z"),
        ("a: yes", "yes"),
        ("a: 0123", "0123"),
        ("a: 1.10", "1.10"),
        ("a: 12:30:45", "12:30:45"),
        ("a: 1_000", "1_000"),
        ("a: 0o17", "0o17"),
        ("a: <<", "<<"),
        ("a: !!int '7'", "7"),
        ("a: !!python/object:os.system x", "x"),
        ("a: !!binary aGk=", "aGk="),
        ("a: &anchor x", "x"),
        ('a: "\\ud83d\\ude80 \\u00e9 \\/"', "🚀 é /"),
        ('{"a": "\\ud83d\\ude80"}', "🚀"),
        ("a: '\\ud83d'", "\\ud83d"),
        ("a: |\n  x\n   y\n", "x\n y\n"),
        ("a: >-\n  x\n  y\n", "x y"),
        ("a: [x, 'y, z', [1]]", ["x", "y, z", ["1"]]),
        ("a:\n- x\n- b: 1.0\n", ["x", {"b": "1.0"}]),
        ("'a' : \"x\" # comment", "x"),
    ],
)
def test_a_value_is_the_text_that_was_written(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize("text", ["a:", "a: ~", "a: null", "a: Null", "a: !!str null"])
def test_nothing_is_null_without_quotes(text: str) -> None:
    node = parse(text).entries["a"].value
    assert isinstance(node, Scalar)
    assert node.is_null


@pytest.mark.parametrize("text", ["a: ''", 'a: "null"', "a: '~'", "a: nil", "a: |\n  null\n"])
def test_anything_else_is_not(text: str) -> None:
    node = parse(text).entries["a"].value
    assert isinstance(node, Scalar)
    assert not node.is_null


@pytest.mark.parametrize(
    ("text", "expected"),
    [("TRUE", True), ("false", False), ("yes", None), ("on", None), ("'true'", None), ("1", None)],
)
def test_truth_is_that_of_yaml_1_2(text: str, expected: bool | None) -> None:
    node = parse(f"a: {text}").entries["a"].value
    assert isinstance(node, Scalar)
    assert node.boolean is expected


def test_every_key_and_value_has_its_line() -> None:
    document = parse("# c\r\na: 'x\r\n\r\n  y'\r\nb:\r\n  - 1\r\n  - 2\r\n", first_line=10)
    sequence = Sequence((Scalar("1", 15, plain=True), Scalar("2", 16, plain=True)), 15)
    assert document.entries["a"] == Entry(Scalar("x\ny", 11, plain=False), 11)
    assert document.entries["b"] == Entry(sequence, 14)


def test_only_a_line_feed_ends_a_line() -> None:
    """YAML knows more line ends than git and GitHub count."""
    document = parse('a: "x\u2028y\u0085z"\nb: 1\n')
    assert document.entries["b"].line == 2


def test_a_key_given_twice_keeps_its_first_value() -> None:
    document = parse("a: 1\nb: 2\na: 3\n'a': 4\n")
    assert _plain(document) == {"a": "1", "b": "2"}
    assert document.duplicates == (("a", 3), ("a", 4))


@pytest.mark.parametrize("text", ["", "# only this\n", "~", "null\n", "\ufeff"])
def test_nothing_is_an_empty_mapping(text: str) -> None:
    assert parse(text).entries == {}


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a: 1\nb: c: d", 2, "mapping values are not allowed"),
        ("a: 1\nb: *a", 2, "aliases"),
        ("a: &a [*a]", 1, "aliases"),
        ("a: b\n---\nc: d", 2, "second document"),
        ("a: b\n...\nc: d", 3, "not valid YAML"),
        ("- a", 1, "expected `key: value` lines"),
        ("text", 1, "expected `key: value` lines"),
        ("a: 1\n? [b]\n: c", 2, "a key must be a single text"),
        ("a: 1\né: \x07", 2, "a character that YAML does not allow"),
        ('a: "\\ud83d"', 1, "half of a surrogate pair"),
        ('a: "\\ude80\\ud83d"', 1, "half of a surrogate pair"),
        ("a: \ud800", 1, "a character that YAML does not allow"),
        ('a: "', 1, "not valid YAML"),
        ("a:\n\tb: c", 2, "not valid YAML"),
        ("a: !x!y z", 1, "not valid YAML"),
        ("a: " + "[" * MAX_DEPTH, 1, "nested deeper"),
    ],
)
def test_what_is_refused_says_where_and_why(text: str, line: int, problem: str) -> None:
    with pytest.raises(YamlError) as error:
        parse(text)
    assert problem in error.value.problem
    assert error.value.line == line


def test_the_deepest_level_that_is_read() -> None:
    levels = MAX_DEPTH - 1  # below the document's own
    assert value(f"a: {'[' * levels}{']' * levels}") is not None
    with pytest.raises(YamlError):
        parse(f"a: {'[' * MAX_DEPTH}{']' * MAX_DEPTH}")


@pytest.mark.parametrize("escape", ["", 'b: "\\ud83d\\ude80"\n'])  # libyaml, and PyYAML's own
@pytest.mark.parametrize(
    "piece",
    ["[", "{", "a: [", "- ", "? ", "!", "&a ", "'", '"\\', "a\n", "#\n", " ", "\n\t", "|\n"],
)
def test_hostile_text_takes_linear_time(piece: str, escape: str) -> None:
    begin = time.process_time()
    with contextlib.suppress(YamlError):
        parse(escape + "a: " + piece * (64 * 1024 // len(piece)))
    assert time.process_time() - begin < 3


@given(st.text(alphabet=st.sampled_from("ab:-[]{},'\"\\u d83e0\n#&*!|>?%@`~\t\r\u2028\ud83d")))
def test_hostile_text_raises_nothing_but_our_error(text: str) -> None:
    try:
        lines = [entry.line for entry in parse(text).entries.values()]
    except YamlError as error:
        lines = [error.line]
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


json_values = st.recursive(
    st.text(max_size=20), lambda inner: st.lists(inner, max_size=3), max_leaves=6
)


@given(st.dictionaries(st.text(max_size=8), json_values, max_size=5))
def test_json_is_yaml(document: dict[str, object]) -> None:
    """Whatever a writer puts into JSON is read back, nested as deep as is allowed."""
    assert _plain(parse(json.dumps(document))) == document


def test_escapes_of_surrogates_count_in_double_quotes_alone() -> None:
    text = """\
a: "\\ud83d\\ude80 and \\\\ud83d"
b: '\\ud83d\\ude80'
c: \\uD83D\\uDE80
d: |
  \\ud83d
"""
    found = {name: entry.value for name, entry in parse(text).entries.items()}
    assert {name: value.text for name, value in found.items() if isinstance(value, Scalar)} == {
        "a": "\U0001f680 and \\ud83d",
        "b": "\\ud83d\\ude80",
        "c": "\\uD83D\\uDE80",
        "d": "\\ud83d\n",
    }


def test_a_text_that_uses_every_private_character_is_refused() -> None:
    text = "a: " + "".join(map(chr, range(0xE000, 0xF900)))
    with pytest.raises(YamlError, match="private use"):
        parse(text)


JSON_TEXTS = st.text(
    st.sampled_from("ab: #'[]{},&*!|>%@`-?~\\\"\t\r\x85\u2028\ufeff\ue000é😀"), max_size=6
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["id", "tags", "a-b", "on", "x1"]),
            st.one_of(
                JSON_TEXTS.map(lambda text: json.dumps(text, ensure_ascii=False)),
                JSON_TEXTS.map(json.dumps),
                JSON_TEXTS.map(lambda text: f'"{text}"'),
                JSON_TEXTS,
                st.lists(JSON_TEXTS, max_size=3).map(json.dumps),
                st.sampled_from(
                    ["true", "false", "True", "[]", "[ ]", '["a","b"]', "1", "null", '"a" # c']
                ),
            ),
            st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", ""]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_json_values_read_alike_with_and_without_a_yaml_reader(
    lines: list[tuple[str, str, str]],
) -> None:
    """A comment in front, which changes nothing, takes the other way."""
    text = "".join(f"{key}: {value}{end}" for key, value, end in lines)
    assert outcome(text, 2) == outcome(f"# c\n{text}", 1)


def outcome(text: str, first_line: int) -> Map | None:
    try:
        return parse(text, first_line=first_line)
    except YamlError:
        return None
