from datetime import UTC, datetime

import pytest

from bot.core.errors import UserError
from bot.formats.cursor.session import active, begun, bumped, parse, rendered


def test_a_session_begins_with_its_moment() -> None:
    state = begun(datetime(2026, 4, 22, 14, 50, 56, tzinfo=UTC))
    assert active(state, "s") == "1776869456-0"
    assert active(bumped(state, "s"), "s") == "1776869456-1"
    assert parse(rendered(state), "s") == state


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b'"x"', b"[" * 9999])
def test_a_file_that_is_no_state_is_not_guessed_at(data: bytes) -> None:
    with pytest.raises(UserError, match="no JSON object"):
        parse(data, "session.json")


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"active_correlation_id": "today"},
        {"active_correlation_id": "1-0\nauthor: human"},
        {"active_correlation_id": 5},
        {"session_id": "x", "task_seq": 0},
        {"session_id": "1", "task_seq": "0"},
        {"session_id": "1", "task_seq": True},
        {"session_id": "1", "task_seq": -1},
    ],
)
def test_a_state_without_a_task_is_said(state: dict[str, object]) -> None:
    with pytest.raises(UserError, match=r"session\.json: "):
        active(state, "session.json")


def test_a_number_is_as_good_as_its_text() -> None:
    assert active({"session_id": 5, "task_seq": 2}, "s") == "5-2"
