"""Indexes that follow their branches, as long as there is room for them."""

import pytest

from bot.core.precheck import Index
from bot.core.review import review
from bot.handlers.indexes import Indexes
from tests.making import file, memory, snapshot, store

MAIN, NEXT = store(memory("a", links=["src"])), store(memory("b", links=["src"]))


def ids(index: Index) -> list[str]:
    return [match.memory.id for match in index.matches(["src/a.py"], "")]


def test_an_index_follows_its_branch() -> None:
    indexes = Indexes(1 << 20)
    with indexes.of("main", [MAIN]) as first:
        assert ids(first) == ["a"]
    with indexes.of("main", [NEXT]) as second:
        assert second is first
        assert ids(second) == ["b"]


def test_two_at_a_time_do_not_share_one() -> None:
    indexes = Indexes(1 << 20)
    with indexes.of("main", [MAIN]) as first, indexes.of("main", [NEXT]) as second:
        assert (ids(first), ids(second)) == (["a"], ["b"])
    assert len(indexes) == 1


def test_the_one_used_longest_ago_makes_room() -> None:
    size = Index([MAIN]).size
    indexes = Indexes(2 * size + size // 2)
    for name in ("one", "two", "one", "three"):
        with indexes.of(name, [MAIN]):
            pass
    assert len(indexes) == 2
    assert indexes.size <= 2 * size + size // 2
    with indexes.of("one", [MAIN]) as kept:
        pass
    with indexes.of("one", [MAIN]) as again:
        assert again is kept
    tiny = Indexes(1)
    with tiny.of("main", [MAIN]) as index:
        assert ids(index) == ["a"]
    assert len(tiny) == 0


def test_an_index_that_fails_is_not_kept() -> None:
    indexes = Indexes(1 << 20)
    with pytest.raises(RuntimeError), indexes.of("main", [MAIN]):
        raise RuntimeError
    assert len(indexes) == 0


def test_changes_for_one_branch_are_reviewed_with_one_index() -> None:
    indexes = Indexes(1 << 20)
    found = []
    for base in (MAIN, NEXT, MAIN):
        change = snapshot(files=[file("src/a.py")], base=[base])
        report = indexes.review(change)
        assert report == review(change)
        found += [match.memory.id for match in report.matches]
    assert (found, len(indexes)) == (["a", "b", "a"], 1)
