"""Which text of a memory people could see at a time."""

import sqlalchemy as sa

from bot.store.pulls import PullKey
from bot.store.shown_memories import begin_to_show, seen, show

KEY = PullKey(repository_id=7, number=1)
OTHER = PullKey(repository_id=7, number=2)


def test_the_text_that_was_shown_last_could_be_seen(connection: sa.Connection) -> None:
    show(connection, KEY, {"a.md": "1", "b.md": "1"}, now_ms=10)
    for at in (20, 30):  # shown again, it keeps its time
        show(connection, KEY, {"a.md": "2"}, now_ms=at)
    show(connection, KEY, {"a.md": "1"}, now_ms=40)
    found = {at: seen(connection, KEY, before_ms=at) for at in (10, 11, 21, 41)}
    assert found == {
        10: {},
        11: {"a.md": "1", "b.md": "1"},
        21: {"a.md": "2", "b.md": "1"},
        41: {"a.md": "1", "b.md": "1"},
    }
    assert seen(connection, OTHER, before_ms=50) == {}


def test_what_was_about_to_be_shown_is_not_known_to_have_been_seen(
    connection: sa.Connection,
) -> None:
    show(connection, KEY, {"a.md": "1"}, now_ms=10)
    for at in (20, 25):  # tried again, as nobody knows whether it was taken
        begin_to_show(connection, KEY, {"a.md": "2"}, now_ms=at)
    show(connection, KEY, {"a.md": "2"}, now_ms=30)
    found = [seen(connection, KEY, before_ms=at)["a.md"] for at in (20, 21, 30, 31)]
    assert found == ["1", "", "", "2"]
    begin_to_show(connection, KEY, {"a.md": "1"}, now_ms=40)
    assert [seen(connection, KEY, before_ms=at)["a.md"] for at in (40, 41)] == ["2", ""]
    begin_to_show(connection, KEY, {"a.md": "2"}, now_ms=50)  # not that other one after all
    show(connection, KEY, {"a.md": "2"}, now_ms=51)
    assert seen(connection, KEY, before_ms=52) == {"a.md": "2"}
