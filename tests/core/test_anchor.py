"""The names of what people say on a pull request."""

import pytest

from bot.core.anchor import Anchor, Kind


@pytest.mark.parametrize("kind", Kind)
def test_an_anchor_is_read_as_it_is_written(kind: Kind) -> None:
    anchor = Anchor(kind=kind, id=99, press="0b98-9ba4" if kind is Kind.PRESS else "")
    assert Anchor.parse(str(anchor)) == anchor


@pytest.mark.parametrize(
    "text",
    [
        "",
        "99",
        "issuecomment-",
        "issuecomment-x",
        "issuecomment-9-9",
        "issue-99",
        "press-99",
        "press-99-",
        "press-x-9",
    ],
)
def test_what_names_no_comment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no comment"):
        Anchor.parse(text)
