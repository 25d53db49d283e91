"""The hidden first line of the comment."""

import pytest

from bot.core.comment import COMMENT_MARKER
from bot.render.marker import Shown, following, read, write

SHOWN = Shown(head="a" * 40, refs=("CON-1f3a",), before=("DEC-0000",))


def test_what_is_written_is_read_again() -> None:
    assert read(f"{write(SHOWN)}\n### More") == SHOWN


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        "Hello",
        f"> {write(SHOWN)}",
        f"{COMMENT_MARKER} -->",
        f"{COMMENT_MARKER} [] -->",
        f'{COMMENT_MARKER} {{"head": 1}} -->',
        f'{COMMENT_MARKER} {{"head": "a", "refs": 5, "before": null}} -->',
        write(SHOWN).removesuffix("-->"),
    ],
)
def test_what_is_not_ours_is_not_read(body: str | None) -> None:
    assert read(body) is None


def test_a_marker_cannot_be_closed_from_inside() -> None:
    assert write(Shown(head="-->", refs=("x-->y",))).count("-->") == 1


def test_the_next_head_knows_what_the_last_one_showed() -> None:
    again = following(SHOWN, head=SHOWN.head, refs=("CON-1f3a", "DEC-1111"))
    assert again.before == SHOWN.before
    later = following(SHOWN, head="b" * 40, refs=("DEC-1111",))
    assert later.before == SHOWN.refs
    assert following(None, head="b" * 40, refs=()).before is None
