"""Hostile text stays text: it mentions nobody, links nothing, and breaks out of nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.render.markdown import cell, code, excerpt, fenced, html, line

PARSER = MarkdownIt("gfm-like", {"linkify": False, "html": True})


def spoken(markdown: str) -> str:
    """What a reader sees of one line of Markdown."""
    (_, inline, _) = PARSER.parse(markdown)[:3]
    return "".join(child.content for child in inline.children or [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", "plain words"),
        ("thanks @alice and @org/team", "thanks @&#8203;alice and @&#8203;org/team"),
        ("mail a@example.com", "mail a@&#8203;example.com"),
        ("fixes #12, octo/shop#3, GH-4", "fixes #&#8203;12, octo/shop#&#8203;3, GH-&#8203;4"),
        ("see https://evil.example/x?a=b now", "see `https://evil.example/x?a=b` now"),
        ("at https://a.example/b, then.", "at `https://a.example/b`, then."),
        ("www.evil.example", "`www.evil.example`"),
        ("[click](javascript:x)", "\\[click\\](javascript:x)"),
        ("![pixel](//evil)", "!\\[pixel\\](//evil)"),
        (
            "<!-- memoryrail:start --><b>x</b>",
            "&lt;!-- memoryrail:start --&gt;&lt;b&gt;x&lt;/b&gt;",
        ),
        ("keep `src/db` and *this*", "keep `src/db` and \\*this\\*"),
        ("`@alice` stays code", "`@alice` stays code"),
        ("an odd ` back-tick", "an odd \\` back-tick"),
        ("# heading", "\\# heading"),
        ("1. item", "1\\. item"),
        ("- item", "\\- item"),
        ("two\n\n> lines", "two &gt; lines"),
        ("a\u202eb\u200bc\u2066d\ufeff", "abcd"),
        ("bell\x07 and \x1b[31mred", "bell and \\[31mred"),
        ("a | b", "a \\| b"),
        ("$x$", "\\$x\\$"),
    ],
)
def test_a_line_is_neutral(text: str, expected: str) -> None:
    assert line(text) == expected


def test_text_is_cut_before_it_is_neutralised() -> None:
    assert line("x" * 50 + " @alice", 54) == "x" * 50 + " @a…".replace("@a", "@&#8203;a")
    assert line("*" * 300, 10) == "\\*" * 9 + "…"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/a.py", "`src/a.py`"),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
        ("a``b`c", "```a``b`c```"),
        ("", ""),
        ("two\nlines", "`two lines`"),
    ],
)
def test_code_holds_any_back_ticks(text: str, expected: str) -> None:
    assert code(text) == expected
    if text:
        assert spoken(expected) == " ".join(text.split())


def test_a_cell_ends_at_no_bar() -> None:
    assert cell(line("a | b `c|d`")) == "a \\| b `c\\|d`"
    assert cell(code("x | y")) == "`x \\| y`"


def test_a_fence_is_longer_than_any_inside() -> None:
    assert fenced(("```", "````x"), "diff") == "`````diff\n```\n````x\n`````"


def test_html_escapes_what_an_element_would_read() -> None:
    assert html("<b>@alice & #1") == "&lt;b&gt;@&#8203;alice &amp; #&#8203;1"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("# Why\n\nIt *broke* in\nMarch.\n\nMore.", "It \\*broke\\* in March."),
        ("```\ncode\n```\n", ""),
        ("\r\n\r\nFirst.\r\n\r\nSecond.", "First."),
        ("", ""),
    ],
    ids=["after a heading", "code only", "CRLF", "empty"],
)
def test_an_excerpt_is_the_first_prose(body: str, expected: str) -> None:
    assert excerpt(body) == expected


@given(
    st.text(alphabet=st.sampled_from("`@#*_[]()<>!|\\~$&;-+=1. \nabwh:/\u202e\u200b"), max_size=60)
)
def test_no_text_makes_anything_but_text_and_code(text: str) -> None:
    """Parsed as CommonMark with GitHub's extensions, a line is one paragraph of text and code."""
    shown = line(text)
    kinds = {token.type for token in PARSER.parse(shown)}
    assert kinds <= {"paragraph_open", "inline", "paragraph_close"}
    children = [child for token in PARSER.parse(shown) for child in token.children or []]
    assert {child.type for child in children} <= {"text", "code_inline", "text_special"}
    prose = "".join(child.content for child in children if child.type == "text")
    assert not re.search(r"@[A-Za-z0-9]", prose)
    assert not re.search(r"#[0-9]", prose)


@given(st.text(max_size=40))
def test_code_never_breaks_out(text: str) -> None:
    shown = code(text)
    if shown:
        (_, inline, _) = PARSER.parse(f"x {shown} y")
        assert [child.type for child in inline.children or []] == ["text", "code_inline", "text"]
