"""Where quoted mail begins."""

import pytest

from bot.commands.email import quote_begins


@pytest.mark.parametrize(
    ("lines", "followed_by_quote", "begins"),
    [
        (["text"], False, None),
        (["text", "-----Original Message-----", "x"], False, 1),
        (["---------- Forwarded message ---------"], False, 0),
        (["From: Kim"], False, None),
        (["text", "From: Kim", "Sent: Monday"], False, 1),
        (["*From:* Kim", "*Date:* Monday"], False, 0),
        (["On Monday, Kim wrote:"], False, 0),
        (["On Monday, Kim wrote:"], True, None),
        (["On Monday, Kim wrote:", "text"], True, 0),
        (["On Monday at 10:00", "Kim <kim@example.com>", "wrote:"], False, 0),
        (["On Monday", "a", "b", "wrote:"], False, None),
        (["Only Kim wrote:"], False, None),
        (["On second thought, no"], False, None),
    ],
)
def test_quote_begins(lines: list[str], followed_by_quote: bool, begins: int | None) -> None:
    assert quote_begins(lines, followed_by_quote) == begins
