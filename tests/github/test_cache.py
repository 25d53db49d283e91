"""The bounded memory."""

from bot.github.cache import Bounded


def test_what_was_used_longest_ago_goes_first() -> None:
    cache: Bounded[str, str] = Bounded(3 * 300)
    for key in "abc":
        cache.put(key, key.upper(), 100)
    assert cache.get("a") == "A"
    cache.put("d", "D", 100)
    assert cache.get("b") is None
    assert [cache.get(key) for key in "acd"] == ["A", "C", "D"]


def test_what_is_larger_than_all_room_is_not_kept() -> None:
    cache: Bounded[str, str] = Bounded(1000)
    cache.put("a", "A", 100)
    cache.put("b", "B", 5000)
    assert cache.get("b") is None
    assert "a" in cache


def test_a_value_that_replaces_another_counts_once() -> None:
    cache: Bounded[str, str] = Bounded(700)
    for value in ("1", "2", "3", "4"):
        cache.put("a", value, 100)
    cache.put("b", "B", 100)
    assert (cache.get("a"), cache.get("b"), len(cache)) == ("4", "B", 2)
    cache.put("a", "huge", 5000)
    assert (cache.get("a"), len(cache)) == (None, 1)
