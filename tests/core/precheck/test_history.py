"""Counts of earlier changes."""

from bot.core.precheck import count, keys
from bot.core.precheck.history import MAX_DIRECTORIES
from bot.core.snapshot import History


def test_a_key_counts_once_for_each_change_that_holds_it() -> None:
    history = count([("Pool pools", ["src/pool.py"]), ("fix: pooling", ["src/a"]), ("docs", [])])
    assert history.changes == 3
    assert history.counts == {
        "pool": 2,
        "src": 2,
        "py": 1,
        "fix": 1,
        "doc": 1,
        "src/": 2,
    }


def test_no_changes_are_no_history() -> None:
    assert count([]) == History()


def test_directories_count_from_the_top_down_and_not_without_end() -> None:
    deep = [f"a/b/c/d/e{n}/f.py" for n in range(5)]
    assert {key for key in keys("", deep) if "/" in key} == {"a/", "a/b/", "a/b/c/", "a/b/c/d/"}
    wide = [f"top{n}/x/y.py" for n in range(3 * MAX_DIRECTORIES)]
    found = {key for key in keys("", wide) if "/" in key}
    assert len(found) == MAX_DIRECTORIES
    assert all(key.count("/") == 1 for key in found)


def test_the_order_of_paths_does_not_matter() -> None:
    paths = [f"src/p{n % 7}/file{n}.py" for n in range(300)]
    assert keys("Fix it", paths) == keys("Fix it", paths[::-1])
