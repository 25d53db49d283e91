"""What becomes of a comment is settled once, with its approvals."""

from dataclasses import replace
from functools import partial

import pytest

from bot.commands import not_run
from bot.handlers.settling import Settling
from bot.handlers.turn import Turn
from bot.store import approvals, audit
from bot.store import commands as stored
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import MAX_AN_HOUR, CommandOutcome, WaitingCommand
from bot.store.database import Database
from tests.handlers.conftest import KEY

PLANNED = AuditRow(
    comment="issuecomment-3",
    digest="d",
    position=0,
    actor_id=5,
    actor="ada",
    verb="approve",
    refs="DEC-a3f9",
    outcome=AuditOutcome.PLANNED,
)


def approve(database: Database) -> None:
    write = partial(approvals.approve, key=KEY, comment="issuecomment-3", digest="d")
    database.transact_here(partial(write, contents={"a.md": "1", "b.md": "2"}))


def approved(database: Database) -> set[str]:
    found = database.transact_here(partial(approvals.approved, key=KEY))
    return {path for path, _ in found}


def audited(database: Database) -> list[tuple[str, AuditOutcome]]:
    found = database.transact_here(partial(audit.newest, limit=9))
    return [(one.row.verb, one.row.outcome) for one in found]


@pytest.mark.parametrize(
    ("keeps", "rejected", "left"),
    [(True, (), {"a.md", "b.md"}), (False, (), set()), (True, ("a.md",), {"b.md"})],
)
async def test_approvals_stay_with_their_commit(
    database: Database, turn: Turn, keeps: bool, rejected: tuple[str, ...], left: set[str]
) -> None:
    approve(database)
    settling = Settling(database=database)
    await settling.settle(
        turn, CommandOutcome.DONE, keeps_approvals=keeps, rejected=rejected, head_sha="a" * 40
    )
    assert approved(database) == left
    assert await settling.waiting(turn.state) == ()


async def test_an_undone_commit_takes_its_approvals_along(database: Database, turn: Turn) -> None:
    approve(database)
    made = replace(PLANNED, outcome=AuditOutcome.DONE, commit_sha="c" * 40)
    database.transact_here(partial(audit.write_down, key=KEY, rows=[made], now_ms=1))
    other = replace(turn, waiting=replace(turn.waiting, comment="issuecomment-4"))
    await Settling(database=database).settle(other, CommandOutcome.DONE, undone="c" * 40)
    assert approved(database) == set()


async def test_what_is_given_up_leaves_no_plan_behind(database: Database, turn: Turn) -> None:
    approve(database)
    database.transact_here(partial(audit.write_down, key=KEY, rows=[PLANNED], now_ms=1))
    settling = Settling(database=database)
    assert await settling.planned(turn.state, turn.waiting) == (PLANNED,)
    await settling.give_up(turn.state, turn.waiting, CommandOutcome.GONE)
    assert audited(database) == [("approve", AuditOutcome.GONE)]
    assert approved(database) == set()


async def test_what_nobody_read_leaves_one_row(database: Database, turn: Turn) -> None:
    await Settling(database=database).give_up(turn.state, turn.waiting, CommandOutcome.EDITED)
    assert audited(database) == [("", AuditOutcome.EDITED)]


async def test_the_first_of_too_many_hears_why(database: Database, turn: Turn) -> None:
    def write(number: int) -> WaitingCommand:
        return replace(turn.waiting, comment=f"issuecomment-{100 + number}", written_ms=2_000)

    settling = Settling(database=database)
    for number in range(MAX_AN_HOUR + 2):
        one = write(number)
        database.transact_here(partial(stored.add, key=KEY, command=one, now_ms=2_000))
        late = replace(turn, waiting=one)
        if number < MAX_AN_HOUR:
            assert await settling.too_many(late) is None
            await settling.settle(late, CommandOutcome.DONE)
        else:
            said = not_run.too_many(MAX_AN_HOUR) if number == MAX_AN_HOUR else ""
            assert await settling.too_many(late) == said
            await settling.settle(late, CommandOutcome.TOO_MANY)
