"""Which head could be seen when."""

from bot.store import shown
from bot.store.database import Database
from bot.store.pulls import PullKey

KEY = PullKey(repository_id=7, number=12)


def test_what_could_be_seen_at_a_time(database: Database) -> None:
    with database.engine.begin() as connection:
        for sha, at in (("a", 10), ("a", 15), ("b", 20), ("b", 25), ("a", 30), ("a", 35)):
            shown.show(connection, KEY, sha, now_ms=at)
        seen = {ms: shown.seen(connection, KEY, before_ms=ms) for ms in (10, 21, 30, 31)}
    assert seen == {10: None, 21: "b", 30: "b", 31: "a"}
