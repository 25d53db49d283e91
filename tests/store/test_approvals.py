"""What was approved: contents, on one pull request."""

from dataclasses import replace

from bot.store import approvals, audit
from bot.store.audit import AuditOutcome
from bot.store.database import Database
from bot.store.pulls import PullKey
from tests.store.test_commands import row

KEY = PullKey(repository_id=7, number=12)
OTHER = PullKey(repository_id=7, number=13)
C = "issuecomment-3"


def test_an_approval_is_of_contents_by_one_text_of_a_comment(database: Database) -> None:
    with database.engine.begin() as connection:
        approvals.approve(connection, KEY, C, "first", {"a": "1"})
        approvals.approve(connection, KEY, C, "edited", {"a": "2", "b": "1"})
        assert approvals.approved(connection, KEY) == {("a", "1"), ("a", "2"), ("b", "1")}
        approvals.forget(connection, KEY, C, "first")
        assert approvals.approved(connection, KEY) == {("a", "2"), ("b", "1")}
        assert approvals.approved(connection, OTHER) == frozenset()


def test_every_approval_of_a_file_is_taken_back(database: Database) -> None:
    with database.engine.begin() as connection:
        approvals.approve(connection, KEY, C, "x", {"a": "1", "b": "1"})
        approvals.revoke(connection, KEY.repository_id, [OTHER.number], ["b"])
        assert approvals.approved(connection, KEY) == {("a", "1"), ("b", "1")}
        approvals.revoke(connection, KEY.repository_id, [OTHER.number, KEY.number], ["a", "c"])
        assert approvals.approved(connection, KEY) == {("b", "1")}


def test_what_the_commands_of_a_commit_approved_is_taken_back_with_it(database: Database) -> None:
    made = replace(row(0, AuditOutcome.DONE, "a" * 40), comment=C, digest="first")
    with database.engine.begin() as connection:
        approvals.approve(connection, KEY, C, "first", {"a": "1", "b": "1"})
        approvals.approve(connection, KEY, C, "edited", {"a": "2"})
        audit.write_down(connection, KEY, [made], now_ms=1)
        assert audit.commits(connection, KEY) == {"a" * 40: 1}
        assert audit.commits(connection, OTHER) == {}
        approvals.take_back(connection, KEY.repository_id, "b" * 40)
        assert len(approvals.approved(connection, KEY)) == 3
        approvals.take_back(connection, KEY.repository_id, "a" * 40)
        assert approvals.approved(connection, KEY) == {("a", "2")}
