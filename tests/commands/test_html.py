"""What is open after a piece of HTML."""

import pytest

from bot.commands.html import HtmlElements


@pytest.mark.parametrize(
    ("pieces", "is_open"),
    [
        (["<b>"], True),
        (["<b>", "</B >"], False),
        (["<b><i></b>"], True),
        (["</b>"], False),
        (["</b>", "<b>"], True),
        (["<br>", "<img src='x'>", "<hr/>"], False),
        (["<div/>"], True),
        (["<details open>\n<summary>x</summary>\n", "</details>"], False),
        (["<!-- <b> -->"], False),
        (["<!--> <b>"], True),
        (["<!---> <b>"], True),
        (["<!-- --!> <b>"], True),
        (["</b><!-- <i>\n"], True),
        (['</b title="'], True),
        (["<!-- a --><!-- b -->"], False),
    ],
)
def test_what_is_open(pieces: list[str], is_open: bool) -> None:
    elements = HtmlElements()
    for piece in pieces:
        elements.pass_over(piece)
    assert elements.is_open is is_open


def test_a_quote_closes_elements_but_no_comment() -> None:
    elements = HtmlElements()
    elements.pass_over("<details>", is_nested=True)
    assert not elements.is_open
    elements.pass_over("<!-- ", is_nested=True)
    assert elements.is_open
