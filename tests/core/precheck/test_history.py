"""Counts of earlier changes."""

from bot.core.precheck import count
from bot.core.snapshot import History


def test_a_term_counts_once_for_each_change_that_holds_it() -> None:
    history = count(["Pool pools\nsrc/pool.py", "fix: pooling", "docs"])
    assert history.changes == 3
    assert history.terms["pool"] == 2
    assert history.terms["src"] == 1


def test_no_changes_are_no_history() -> None:
    assert count([]) == History()
