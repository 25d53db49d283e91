"""Comments that wait, approvals and the audit."""

from bot.store import commands
from bot.store.commands import AuditOutcome, AuditRow, CommandOutcome, WaitingCommand
from bot.store.database import Database
from bot.store.pulls import PullKey

KEY = PullKey(repository_id=7, number=12)
OTHER = PullKey(repository_id=7, number=13)


def waiting(comment_id: int, author_id: int = 1) -> WaitingCommand:
    return WaitingCommand(comment_id=comment_id, author_id=author_id, digest=f"{comment_id}")


def row(position: int, outcome: AuditOutcome, sha: str | None = None) -> AuditRow:
    return AuditRow(
        comment_id=3,
        position=position,
        actor_id=1,
        verb="approve",
        refs="DEC-0000",
        outcome=outcome,
        commit_sha=sha,
    )


def test_comments_wait_in_the_order_of_their_writing_until_they_are_settled(
    database: Database,
) -> None:
    with database.engine.begin() as connection:
        for number in (5, 3, 5):
            commands.add(connection, KEY, waiting(number), now_ms=1)
        commands.add(connection, OTHER, waiting(4), now_ms=1)
        assert [one.comment_id for one in commands.waiting(connection, KEY)] == [3, 5]
        assert {one.received_ms for one in commands.waiting(connection, KEY)} == {1}
        commands.attempted(connection, KEY, 5)
        for _ in range(2):  # settled again after a crash, it is told once
            done = [row(0, AuditOutcome.DONE, "a" * 40)]
            commands.settle(connection, KEY, 3, CommandOutcome.DONE, audit=done, now_ms=2)
        commands.add(connection, KEY, waiting(3), now_ms=3)
        assert [(one.comment_id, one.attempts) for one in commands.waiting(connection, KEY)] == [
            (5, 1)
        ]
        audit = connection.exec_driver_sql("SELECT verb, refs, outcome FROM audit").all()
    assert [tuple(one) for one in audit] == [("approve", "DEC-0000", "done")]


def test_one_author_is_read_so_often_an_hour(database: Database) -> None:
    with database.engine.begin() as connection:
        for number in (*range(1, 120), 119):
            commands.add(connection, KEY, waiting(number), now_ms=1)
        commands.add(connection, KEY, waiting(200, author_id=2), now_ms=1)
        commands.add(connection, KEY, waiting(300), now_ms=3_600_002)
        found = [one.comment_id for one in commands.waiting(connection, KEY)]
        audit = connection.exec_driver_sql("SELECT verb, outcome, actor_id FROM audit").all()
    assert found == [*range(1, commands.MAX_READ_AN_HOUR + 1), 200, 300]
    assert [tuple(one) for one in audit] == [("", "too many", 1)] * 19


def test_talk_of_commands_does_not_count_as_commands(database: Database) -> None:
    outcomes = [*CommandOutcome, CommandOutcome.DONE]
    with database.engine.begin() as connection:
        for number, outcome in enumerate(outcomes, start=1):
            commands.add(connection, KEY, waiting(number), now_ms=5)
            commands.settle(connection, KEY, number, outcome, now_ms=5)
        commands.add(connection, KEY, waiting(90, author_id=2), now_ms=5)
        counts = {
            at: commands.answered(
                connection,
                KEY,
                WaitingCommand(comment_id=50, author_id=1, digest="", received_ms=at),
            )
            for at in (6, 3_600_006)
        }
    assert counts == {6: (6, 1), 3_600_006: (0, 0)}


def test_an_approval_goes_with_what_was_not_done(database: Database) -> None:
    def plan(comment_id: int, **approved: str) -> None:
        commands.plan(connection, KEY, comment_id, audit=[], approved=approved, now_ms=1)

    with database.engine.begin() as connection:
        plan(3, a="1")
        plan(3, a="2")  # planned again on a newer head
        plan(4, b="1")
        assert commands.approved(connection, KEY) == {("a", "2"), ("b", "1")}
        commands.settle(connection, KEY, 3, CommandOutcome.REFUSED, now_ms=2)
        commands.settle(connection, KEY, 4, CommandOutcome.DONE, keeps_approvals=True, now_ms=2)
        assert commands.approved(connection, KEY) == {("b", "1")}
        commands.revoke(connection, KEY.repository_id, [OTHER.number], ["b"])
        assert commands.approved(connection, KEY) == {("b", "1")}
        commands.revoke(connection, KEY.repository_id, [OTHER.number, KEY.number], ["a", "b"])
        assert commands.approved(connection, KEY) == frozenset()


def test_what_a_commit_will_do_is_written_down_before_it_is_made(database: Database) -> None:
    planned, refused = row(0, AuditOutcome.PLANNED), row(1, AuditOutcome.REFUSED)
    with database.engine.begin() as connection:
        assert commands.planned(connection, KEY, 3) == ()
        for rows in ([planned], [planned, refused]):  # planned again on a newer head
            commands.plan(connection, KEY, 3, audit=rows, approved={"a.md": "1"}, now_ms=1)
        assert commands.planned(connection, KEY, 3) == (planned, refused)
        assert commands.approved(connection, KEY) == {("a.md", "1")}
        assert commands.approved(connection, OTHER) == frozenset()
        done = [row(0, AuditOutcome.DONE, "a" * 40), refused]
        commands.settle(connection, KEY, 3, CommandOutcome.REFUSED, audit=done, now_ms=2)
        assert commands.planned(connection, KEY, 3) == ()
        told = connection.exec_driver_sql(
            "SELECT outcome, commit_sha FROM audit ORDER BY position"
        ).all()
    assert [tuple(one) for one in told] == [("done", "a" * 40), ("refused", None)]


def test_what_could_be_seen_at_a_time(database: Database) -> None:
    with database.engine.begin() as connection:
        for sha, at in (("a", 10), ("a", 15), ("b", 20), ("b", 25), ("a", 30), ("a", 35)):
            commands.show(connection, KEY, sha, now_ms=at)
        seen = {ms: commands.seen(connection, KEY, before_ms=ms) for ms in (10, 21, 30, 31)}
    assert seen == {10: None, 21: "b", 30: "b", 31: "a"}


def test_a_digest_tells_an_edit() -> None:
    assert commands.digest("/memoryrail help") != commands.digest("/memoryrail  help")
