"""What waits to be done for a repository."""

from dataclasses import replace

import sqlalchemy as sa

from bot.store import pulls, work
from bot.store.pulls import PullKey, Wake
from bot.store.work import WaitingWork, Work, WorkKind

GROUP = Work(
    kind=WorkKind.GROUP, base_ref="main", head_sha="a" * 40, head_ref="q", base_sha="b" * 40
)
WAKE = Work(kind=WorkKind.WAKE, base_ref="main")
READY = Work(kind=WorkKind.READY)


def test_groups_come_first_and_equal_work_waits_once(connection: sa.Connection) -> None:
    work.add(connection, 7, [WAKE, READY, GROUP], now_ms=1)
    work.add(connection, 7, [WAKE], now_ms=2)
    work.add(connection, 8, [READY], now_ms=3)
    assert work.waiting(connection, 7) == (
        WaitingWork(work=GROUP, received_ms=1),
        WaitingWork(work=READY, received_ms=1),
        WaitingWork(work=WAKE, received_ms=2),
    )


def test_what_is_done_is_forgotten(connection: sa.Connection) -> None:
    work.add(connection, 7, [WAKE, replace(WAKE, base_ref="v1")], now_ms=1)
    work.add(connection, 8, [WAKE], now_ms=1)
    work.done(connection, 7, WaitingWork(work=WAKE, received_ms=1))
    assert [one.work.base_ref for one in work.waiting(connection, 7)] == ["v1"]
    assert len(work.waiting(connection, 8)) == 1


def test_what_was_asked_for_again_meanwhile_waits_on(connection: sa.Connection) -> None:
    work.add(connection, 7, [WAKE], now_ms=1)
    (taken,) = work.waiting(connection, 7)
    work.add(connection, 7, [WAKE], now_ms=2)
    work.done(connection, 7, taken)
    assert work.waiting(connection, 7) == (WaitingWork(work=WAKE, received_ms=2),)


def test_a_repository_is_no_pull_request() -> None:
    assert work.key_of(7).is_repository
    assert not PullKey(repository_id=7, number=1).is_repository


def test_a_new_name_holds_for_all_of_a_repository(connection: sa.Connection) -> None:
    for repository_id, number in ((7, 0), (7, 3), (8, 1)):
        key = PullKey(repository_id=repository_id, number=number)
        wake = Wake(key=key, installation_id=5, repository=f"octo/r{repository_id}")
        pulls.wake(connection, wake, now_ms=1)
    assert pulls.relabel(connection, 7, repository="acme/new", installation_id=6) == 2
    assert pulls.relabel(connection, 7, repository="acme/new", installation_id=6) == 0
    state = pulls.state(connection, PullKey(repository_id=7, number=3))
    assert state is not None
    assert (state.repository, state.installation_id) == ("acme/new", 6)
    assert pulls.repositories(connection, 5) == ((8, "octo/r8"),)
    assert pulls.repositories(connection, 6) == ((7, "acme/new"),)
