"""Which lines are markers, and which of them leave open what lies between."""

import time

import pytest

from bot.core.sync import END, START, MarkersError, find


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (START, END),
        ("<!--memoryrail:begin-->", "<!--memoryrail:end-->"),
        ("  <!-- MemoryRail Start -->\t", "<!-- MEMORYRAIL END -->"),
        ("<!-- memoryrail:start (generated; do not edit) -->", "<!-- memoryrail:end: v1 -->"),
        ("<!-- memoryrail - begin -->", "<!-- memoryrail_end -->"),
        ("\ufeff<!-- memoryrail:start -->", "<!-- memoryrail:end -->"),
    ],
)
def test_any_spelling_is_read(start: str, end: str) -> None:
    text = f"{start}\none\ntwo\n{end}\nafter"
    block = find(text)
    assert block is not None
    assert text[block.start : block.end] == "one\ntwo\n"
    assert block.line == 1


def test_a_block_says_where_it_stands_and_how_its_lines_end() -> None:
    text = f"a\r\n\r\n{START}\r\nold\r\n{END}"
    block = find(text)
    assert block is not None
    assert (block.line, block.newline) == (3, "\r\n")
    assert text[block.start : block.end] == "old\r\n"


@pytest.mark.parametrize(
    "line",
    [
        f"See {START}",
        f"{START} here",
        f"`{START}`",
        f"> {START}",
        "<!-- memoryrail -->",
        "<!-- memoryrail:started -->",
        "<!-- the memoryrail:start -->",
        "<!-- memoryrail:start",
        f"{START}{END}",
    ],
)
def test_anything_else_is_text(line: str) -> None:
    assert find(f"a\n{line}\nb\n") is None


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        (f"a\n{START}\nold\n", "unbalanced-markers", 2),
        (f"a\n{END}\n", "unbalanced-markers", 2),
        (f"{END}\nuser\n{START}\n", "unbalanced-markers", 1),
        (f"{START}\n{START}\n{END}\n{END}\n", "unbalanced-markers", 2),
        (f"{START}\n{END}\n{END}\n", "unbalanced-markers", 3),
        (f"{START}\n{END}\n{START}\n", "unbalanced-markers", 3),
        (f"{START}\na\n{END}\nuser\n{START}\nb\n{END}\n", "duplicate-markers", 5),
    ],
)
def test_damage_is_named_with_its_line(text: str, rule: str, line: int) -> None:
    with pytest.raises(MarkersError) as error:
        find(text)
    assert (error.value.rule, error.value.line) == (rule, line)


@pytest.mark.parametrize("piece", [" ", "<!-- memoryrail:start ", "<!--", "-->", "\ufeff", "\n "])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    begin = time.process_time()
    find(piece * 50_000)
    assert time.process_time() - begin < 2
