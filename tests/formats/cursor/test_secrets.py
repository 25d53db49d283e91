"""The vectors hold the classes; here, what counts as a placeholder."""

import pytest

from bot.formats.cursor.secrets import first_in, found_in, may_hold_any
from tests.core.secrets.vectors import cases
from tests.formats.cursor.making import entry

KEY = "AKIA" + "Q7XK2M5VN3JPRT4C"
UUID = "01234567-89ab-cdef-" + "0123-456789abcdef"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"<{KEY}>", 0),
        (f"a < b, and {KEY}", 1),
        (f"<old> {KEY} <new>", 1),
        (f"%%{KEY}%%", 0),
        (f"<\n{KEY}\n>", 1),
        (f"{UUID} is the postmark key", 1),
        (f"{UUID}{' ' * 80}postmark", 0),
        (f"heroku{' ' * 80}{UUID}", 0),
    ],
)
def test_brackets_make_a_placeholder_when_they_stand_around_it(text: str, count: int) -> None:
    assert len(found_in(text, "decisions.md")) == count


def test_what_the_engine_is_left_out_of_holds_no_credential() -> None:
    """The look ahead of it passes every credential of the scanner's own vectors on."""
    passed = {case.id for case in cases() if may_hold_any(case.text)}
    assert {case.id for case in cases() if case.expect} <= passed
    assert not may_hold_any(entry("1745333456-0-decision", kind="decision", tags="[api-v2]"))


def test_the_first_one_is_enough_to_refuse() -> None:
    found = first_in(["nothing", f"key {KEY}"])
    assert found is not None
    assert found.rule == "aws-access-key-id"
    assert first_in(["nothing"]) is None
