"""bot/sandbox/page/markdown.py: what GitHub shows of Markdown, and nothing that runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sandbox.page.markdown import render

SHOWN = {
    "a hard line break": ("one\ntwo", "<p>one<br>\ntwo</p>\n"),
    "a struck word": ("~~no~~", "<p><s>no</s></p>\n"),
    "code": ("`a < b`", "<p><code>a &lt; b</code></p>\n"),
    "a small line": ("<sub>4 of 4</sub>", "<p><sub>4 of 4</sub></p>\n"),
    "an image as a link": (
        "![cat](https://example.com/a)",
        '<p>!<a href="https://example.com/a" rel="nofollow noopener noreferrer">cat</a></p>\n',
    ),
    "no task list": ("- [x] done", "<ul>\n<li>[x] done</li>\n</ul>\n"),
    "a comment is dropped": ("a <!-- memoryrail --> b", "<p>a  b</p>\n"),
    "a script is dropped": ("<script>alert(1)</script>", ""),
    "a handler is dropped": ("<b onclick=alert(1)>x</b>", "<p><b>x</b></p>\n"),
    "an image of HTML is dropped": ("a <img src=x onerror=alert(1)>", "<p>a </p>\n"),
    "a style is dropped": ('<p style="color: red">x</p>', "<p>x</p>"),
    "a form is dropped": ("<form action=/x><button>go</button></form>", "go"),
    "an id is dropped": ('<p id="live">x</p>', "<p>x</p>"),
    "other classes are dropped": (
        '<span class="state open">x</span>',
        '<p><span class="">x</span></p>\n',
    ),
    "a link that runs is no link": (
        '<a href="javascript:alert(1)">x</a>',
        '<p><a rel="nofollow noopener noreferrer">x</a></p>\n',
    ),
    "data is no link": (
        '<a href="data:text/html,x">x</a>',
        '<p><a rel="nofollow noopener noreferrer">x</a></p>\n',
    ),
    "an open element ends with the text": ("<div>a", "<div>a</div>"),
    "an end of ours does not close the page": ("</section></main>x", "x"),
}


@pytest.mark.parametrize(("text", "html"), SHOWN.values(), ids=SHOWN.keys())
def test_text_is_shown_as_github_shows_it(text: str, html: str) -> None:
    assert render(text) == html


def test_a_table_keeps_its_alignment_without_a_style() -> None:
    html = render("| a | b |\n| --- | ---: |\n| 1 | 2 |\n")
    assert '<th>a</th>\n<th align="right">b</th>' in html
    assert '<td>1</td>\n<td align="right">2</td>' in html
    assert "style" not in html


def test_folded_details_hold_markdown() -> None:
    html = render("<details><summary>2 more</summary>\n\n- **one**\n\n</details>\n\nafter")
    assert html == (
        "<details><summary>2 more</summary>\n<ul>\n<li><strong>one</strong></li>\n</ul>\n"
        "</details>\n<p>after</p>\n"
    )


def test_lines_of_a_diff_are_coloured() -> None:
    html = render("```diff\n-<old>\n+new\n same\n```")
    assert (
        '<span class="removed">-&lt;old&gt;</span>\n<span class="added">+new</span>\n same' in html
    )


@given(st.text(alphabet="<>/=\"'` \n&;:()aonscriptdvjx[]!#*-|", max_size=80))
def test_no_text_brings_an_element_that_is_not_kept(text: str) -> None:
    html = render(text).lower()
    assert "<script" not in html
    assert "<img" not in html
    assert "<!--" not in html
