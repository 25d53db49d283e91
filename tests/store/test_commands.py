"""Comments that wait, and what became of them."""

from dataclasses import replace

from bot.store import approvals, commands
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import CommandOutcome, WaitingCommand
from bot.store.database import Database
from bot.store.pulls import PullKey

KEY = PullKey(repository_id=7, number=12)
OTHER = PullKey(repository_id=7, number=13)


def waiting(id_: int, author_id: int = 1, *, text: str = "", known: str = "") -> WaitingCommand:
    return WaitingCommand(
        comment=f"issuecomment-{id_}",
        author_id=author_id,
        digest=text or f"{id_}",
        written_ms=id_,
        is_edit=bool(text),
        known=known,
    )


def row(position: int, outcome: AuditOutcome, sha: str | None = None) -> AuditRow:
    return AuditRow(
        comment="issuecomment-3",
        digest="3",
        position=position,
        actor_id=1,
        actor="ada",
        permission="maintain",
        head_sha="b" * 40,
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
        assert [one.written_ms for one in commands.waiting(connection, KEY)] == [3, 5]
        assert {one.received_ms for one in commands.waiting(connection, KEY)} == {1}
        commands.attempted(connection, KEY, waiting(5))
        for _ in range(2):  # settled again after a crash, it is told once
            done = [row(0, AuditOutcome.DONE, "a" * 40)]
            commands.settle(connection, KEY, waiting(3), CommandOutcome.DONE, audit=done, now_ms=2)
        commands.add(connection, KEY, waiting(3), now_ms=3)
        left = commands.waiting(connection, KEY)
        assert [(one.written_ms, one.attempts) for one in left] == [(5, 1)]
        told = connection.exec_driver_sql("SELECT verb, refs, outcome FROM audit").all()
    assert [tuple(one) for one in told] == [("approve", "DEC-0000", "done")]


def test_one_author_is_read_so_often_an_hour(database: Database) -> None:
    with database.engine.begin() as connection:
        for number in (*range(1, 120), 119):
            commands.add(connection, KEY, waiting(number), now_ms=1)
        commands.add(connection, KEY, waiting(200, author_id=2), now_ms=1)
        commands.add(connection, KEY, waiting(300), now_ms=3_600_002)
        found = [one.written_ms for one in commands.waiting(connection, KEY)]
        told = connection.exec_driver_sql("SELECT verb, outcome, actor_id FROM audit").all()
    assert found == [*range(1, commands.MAX_READ_AN_HOUR + 1), 200, 300]
    assert [tuple(one) for one in told] == [("", "too many", 1)] * 19


def test_talk_of_commands_does_not_count_as_commands(database: Database) -> None:
    outcomes = [*CommandOutcome, CommandOutcome.DONE]
    with database.engine.begin() as connection:
        for number, outcome in enumerate(outcomes, start=1):
            commands.add(connection, KEY, waiting(number), now_ms=5)
            commands.settle(connection, KEY, waiting(number), outcome, now_ms=5)
        commands.add(connection, KEY, waiting(90, author_id=2), now_ms=5)
        counts = {
            at: commands.answered(
                connection,
                KEY,
                replace(waiting(50), received_ms=at),
            )
            for at in (6, 3_600_006)
        }
    assert counts == {6: (6, 1), 3_600_006: (0, 0)}


def test_what_was_not_done_is_not_approved(database: Database) -> None:
    with database.engine.begin() as connection:
        for id_ in (3, 4):
            approvals.approve(connection, KEY, f"issuecomment-{id_}", f"{id_}", {f"{id_}.md": "1"})
        commands.settle(connection, KEY, waiting(3), CommandOutcome.REFUSED, now_ms=2)
        commands.settle(
            connection, KEY, waiting(4), CommandOutcome.DONE, keeps_approvals=True, now_ms=2
        )
        assert approvals.approved(connection, KEY) == {("4.md", "1")}


def test_an_edit_runs_what_was_not_run_before_it(database: Database) -> None:
    first = replace(waiting(3), marks="x")
    others = replace(waiting(3, text="b", known="x evil"), marks="x evil y")
    with database.engine.begin() as connection:
        for one in (first, others):
            commands.add(connection, KEY, one, now_ms=1)
        assert [one.is_edit for one in commands.waiting(connection, KEY)] == [False, True]
        assert commands.hand_on(connection, KEY, first)
        commands.settle(connection, KEY, first, CommandOutcome.EDITED, now_ms=2)
        (left,) = commands.waiting(connection, KEY)
        assert (left.digest, left.known) == ("b", "evil")  # what somebody else wrote in between
        assert not commands.hand_on(connection, KEY, left)
        assert not commands.hand_on(connection, KEY, replace(first, marks=None))


def test_an_edit_brings_back_a_text_that_had_no_turn(database: Database) -> None:
    back = replace(waiting(3), is_edit=True, written_ms=9, known="h")
    with database.engine.begin() as connection:
        for outcome, waits in ((CommandOutcome.EDITED, ["h"]), (CommandOutcome.DONE, [])):
            commands.add(connection, KEY, waiting(3), now_ms=1)
            commands.settle(connection, KEY, waiting(3), outcome, now_ms=2)
            commands.add(connection, KEY, replace(back, written_ms=back.written_ms + 1), now_ms=3)
            assert [one.known for one in commands.waiting(connection, KEY)] == waits
            commands.add(connection, KEY, back, now_ms=3)  # the same delivery, late
            connection.exec_driver_sql("DELETE FROM waiting_commands")


def test_a_digest_tells_an_edit() -> None:
    assert commands.digest("/memoryrail help") != commands.digest("/memoryrail  help")
