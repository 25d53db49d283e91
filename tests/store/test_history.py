"""Counts of a repository's earlier changes."""

import sqlalchemy as sa

from bot.store import history as stored
from bot.store.history import MAX_CHANGES, Counted, PastChange

HOUR = 3_600_000


def change(number: int, *hashes: int) -> PastChange:
    return PastChange(number=number, hashes=frozenset(hashes))


def test_a_repository_that_nothing_is_known_of(connection: sa.Connection) -> None:
    assert stored.counted(connection, 7, [1, 2]) == Counted()


def test_a_change_counts_once_and_in_its_repository(connection: sa.Connection) -> None:
    stored.count(connection, 7, [change(1, 5, -6), change(2, 5)])
    stored.count(connection, 7, [change(2, 5), change(3, 5)])
    stored.count(connection, 8, [change(1, 5)])
    assert stored.counted(connection, 7, [5, -6, 9]) == Counted(changes=3, counts={5: 3, -6: 1})
    assert stored.counted(connection, 8, [5]) == Counted(changes=1, counts={5: 1})
    assert stored.counted(connection, 7, []) == Counted(changes=3)


def test_many_keys_are_asked_for_in_batches(connection: sa.Connection) -> None:
    largest = 2**63 - 1
    hashes = [-largest, *range(1_200), largest]
    stored.count(connection, 7, [change(1, *hashes)])
    assert len(stored.counted(connection, 7, hashes).counts) == 1_202


def test_the_past_is_asked_for_once_an_hour_until_it_is_told(connection: sa.Connection) -> None:
    def may(now_ms: int) -> bool:
        return stored.may_seed(connection, 7, now_ms=now_ms)

    assert [may(HOUR), may(HOUR + 1), may(2 * HOUR - 1), may(2 * HOUR)] == [
        True,
        False,
        False,
        True,
    ]
    stored.count(connection, 7, [change(1, 5)], seeds=True)
    assert not may(9 * HOUR)
    assert stored.counted(connection, 7, [5]) == Counted(changes=1, counts={5: 1}, is_seeded=True)
    stored.count(connection, 7, [change(2, 5)])
    assert stored.counted(connection, 7, []).is_seeded


def test_a_change_that_was_counted_first_lets_the_past_be_asked_for(
    connection: sa.Connection,
) -> None:
    stored.count(connection, 7, [change(1, 5)])
    assert stored.may_seed(connection, 7, now_ms=HOUR)


def test_old_changes_fade(connection: sa.Connection) -> None:
    stored.count(connection, 7, [change(n, 5, n + 10) for n in range(MAX_CHANGES)])
    assert stored.counted(connection, 7, [5, 11]).counts == {5: MAX_CHANGES, 11: 1}
    stored.count(connection, 7, [change(MAX_CHANGES, 5)])
    assert stored.counted(connection, 7, [5, 11]) == Counted(
        changes=MAX_CHANGES // 2, counts={5: MAX_CHANGES // 2}
    )
