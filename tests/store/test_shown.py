"""Which heads people could see at a time."""

import sqlalchemy as sa

from bot.store import shown
from bot.store.pulls import PullKey
from bot.store.shown import Seen

KEY = PullKey(repository_id=7, number=1)


def seen(connection: sa.Connection, at: int) -> Seen:
    return shown.seen(connection, KEY, before_ms=at)


def test_what_could_be_seen_at_a_time(connection: sa.Connection) -> None:
    for sha, at in (("a", 10), ("a", 15), ("b", 20), ("b", 25), ("a", 30), ("a", 35)):
        shown.show(connection, KEY, sha, now_ms=at)
    found = {ms: seen(connection, ms).head_sha for ms in (10, 21, 30, 31)}
    assert found == {10: None, 21: "b", 30: "b", 31: "a"}


def test_what_was_about_to_be_shown_may_have_been_seen(connection: sa.Connection) -> None:
    shown.begin_to_show(connection, KEY, "a", now_ms=10)
    assert seen(connection, 11) == Seen(head_sha=None, perhaps={"a": 10})
    shown.show(connection, KEY, "a", now_ms=12)
    assert seen(connection, 13) == Seen(head_sha="a", shown_ms=12, perhaps={})
    for at in (20, 22):  # tried again, as nobody knows whether it was taken
        shown.begin_to_show(connection, KEY, "b", now_ms=at)
    assert seen(connection, 21) == Seen(head_sha="a", shown_ms=12, perhaps={"b": 20})
    shown.show(connection, KEY, "c", now_ms=30)
    assert seen(connection, 25) == Seen(head_sha="a", shown_ms=12, perhaps={"b": 20})
    assert seen(connection, 31) == Seen(head_sha="c", shown_ms=30, perhaps={})
    shown.begin_to_show(connection, KEY, "b", now_ms=40)
    assert seen(connection, 41) == Seen(head_sha="c", shown_ms=30, perhaps={"b": 40})
