"""The names of what people say on a pull request."""

import pytest

from bot.core.anchor import Anchor, Kind


@pytest.mark.parametrize("kind", Kind)
def test_an_anchor_is_read_as_it_is_written(kind: Kind) -> None:
    anchor = Anchor(kind=kind, id=99)
    assert Anchor.parse(str(anchor)) == anchor


@pytest.mark.parametrize("text", ["", "99", "issuecomment-", "issuecomment-x", "issue-99"])
def test_what_names_no_comment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no comment"):
        Anchor.parse(text)
