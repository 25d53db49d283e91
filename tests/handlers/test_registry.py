from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import bot.handlers
from bot.handlers.meaning import Meaning
from bot.handlers.registry import HANDLERS, meaning


def _shaped(inner: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """Objects with the names that handlers look for, and anything below them."""
    names = ("action", "installation", "repository", "pull_request", "head", "sha", "id", "number")
    return st.fixed_dictionaries({}, optional=dict.fromkeys((*names, "full_name"), inner))


EVENTS = [*HANDLERS, "star"]
_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.just("opened")
)
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner), _shaped(inner)),
    max_leaves=20,
)


@given(payload=_shaped(_values))
def test_no_payload_makes_a_handler_raise(payload: dict[str, object]) -> None:
    for event in EVENTS:
        meant = meaning(event, payload)
        assert meant.installation_id is None or 0 < meant.installation_id < 2**63
        assert meant.repository_id is None or 0 < meant.repository_id < 2**63
        assert not (meant.wakes and meant.ignored)


def test_other_events_are_ignored() -> None:
    assert meaning("star", {}) == Meaning(ignored="events of this kind are not handled")


def test_each_event_has_its_module() -> None:
    folder = Path(bot.handlers.__file__).parent
    assert [event for event in HANDLERS if not (folder / f"{event}.py").is_file()] == []
