from pathlib import Path

from hypothesis import given

import bot.handlers
from bot.handlers.meaning import Meaning
from bot.handlers.registry import EVENTS, meaning
from tests.handlers.payloads import payloads


@given(payload=payloads())
def test_no_payload_makes_a_handler_raise(payload: dict[str, object]) -> None:
    for event in (*EVENTS, "star"):
        meant = meaning(event, payload)
        assert meant.installation_id is None or 0 < meant.installation_id < 2**63
        assert meant.repository_id is None or 0 < meant.repository_id < 2**63
        assert not (meant.news and meant.ignored)


def test_other_events_are_ignored() -> None:
    assert meaning("star", {}) == Meaning(ignored="events of this kind are not handled")


def test_each_event_has_its_module() -> None:
    folder = Path(bot.handlers.__file__).parent
    assert [event for event in EVENTS if not (folder / f"{event}.py").is_file()] == []
