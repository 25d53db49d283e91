"""GitHub's limits for the buttons of a check run, and what ours do."""

import pytest

from bot.commands.grammar import NAME, parse
from bot.commands.registry import HANDLERS
from bot.core.buttons import BUTTONS, MAX_BUTTONS, Button


@pytest.mark.parametrize("button", BUTTONS, ids=lambda one: str(one.identifier))
def test_a_button_is_short_enough_and_does_what_a_command_does(button: Button) -> None:
    assert 0 < len(button.identifier) <= 20
    assert 0 < len(button.label) <= 20
    assert 0 < len(button.description) <= 40
    parsed = parse(f"{NAME} {button.command}", HANDLERS)
    assert len(parsed.commands) == 1
    assert parsed.misses == ()


def test_all_buttons_have_room_on_one_check_run() -> None:
    assert len({one.identifier for one in BUTTONS}) == len(BUTTONS) <= MAX_BUTTONS
