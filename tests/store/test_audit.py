"""The audit: rows are added, and only a planned one changes."""

from bot.store import audit
from bot.store.audit import AuditOutcome
from bot.store.database import Database
from bot.store.pulls import PullKey
from tests.store.test_commands import row

KEY = PullKey(repository_id=7, number=12)
C = "issuecomment-3"


def test_what_a_commit_will_do_is_written_down_before_it_is_made(database: Database) -> None:
    planned, refused = row(0, AuditOutcome.PLANNED), row(1, AuditOutcome.REFUSED)
    with database.engine.begin() as connection:
        assert audit.planned(connection, KEY, C, "3") == ()
        for rows in ([planned], [planned, refused]):  # planned again on a newer head
            audit.forget_plan(connection, KEY, C, "3")
            audit.write_down(connection, KEY, rows, now_ms=1)
        assert audit.planned(connection, KEY, C, "3") == (planned, refused)
        assert audit.planned(connection, KEY, C, "other text") == ()
        done = [row(0, AuditOutcome.DONE, "a" * 40), row(1, AuditOutcome.DONE, "a" * 40)]
        for _ in range(2):  # told again after a crash
            audit.write_down(connection, KEY, done, now_ms=2)
        audit.forget_plan(connection, KEY, C, "3")
        assert audit.planned(connection, KEY, C, "3") == ()
        told = connection.exec_driver_sql(
            "SELECT outcome, commit_sha FROM audit ORDER BY position"
        ).all()
    assert [tuple(one) for one in told] == [("done", "a" * 40), ("refused", None)]
