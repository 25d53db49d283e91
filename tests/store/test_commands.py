"""Comments that wait, approvals and the audit."""

from pathlib import Path

import pytest

from bot.store import commands
from bot.store.commands import AuditRow, CommandOutcome, WaitingCommand
from bot.store.database import Database
from bot.store.pulls import PullKey

KEY = PullKey(repository_id=7, number=12)
OTHER = PullKey(repository_id=7, number=13)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path / 'bot.sqlite'}")


def test_comments_wait_in_the_order_of_their_writing_until_they_are_settled(
    database: Database,
) -> None:
    with database.engine.begin() as connection:
        for number in (5, 3, 5):
            waiting = WaitingCommand(comment_id=number, digest=f"{number}")
            commands.add(connection, KEY, waiting, now_ms=1)
        commands.add(connection, OTHER, WaitingCommand(comment_id=4, digest="4"), now_ms=1)
        assert [one.comment_id for one in commands.waiting(connection, KEY)] == [3, 5]
        row = AuditRow(
            comment_id=3,
            position=0,
            actor_id=1,
            verb="approve",
            refs="DEC-0000",
            outcome="done",
            commit_sha="a" * 40,
        )
        for _ in range(2):  # settled again after a crash, it is told once
            commands.settle(connection, KEY, 3, CommandOutcome.DONE, audit=[row], now_ms=2)
        commands.add(connection, KEY, WaitingCommand(comment_id=3, digest="3"), now_ms=3)
        assert [one.comment_id for one in commands.waiting(connection, KEY)] == [5]
        audit = connection.exec_driver_sql("SELECT verb, refs, outcome FROM audit").all()
    assert [tuple(one) for one in audit] == [("approve", "DEC-0000", "done")]
    database.close()


def test_an_approval_is_bound_to_contents_on_its_pull_request(database: Database) -> None:
    with database.engine.begin() as connection:
        for _ in range(2):
            commands.approve(connection, KEY, {"a.md": "1", "b.md": "2"}, comment_id=3)
        assert commands.approved(connection, KEY) == {("a.md", "1"), ("b.md", "2")}
        assert commands.approved(connection, OTHER) == frozenset()
    database.close()


def test_a_digest_tells_an_edit() -> None:
    assert commands.digest("/memoryrail help") != commands.digest("/memoryrail  help")
