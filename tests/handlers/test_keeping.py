"""What commands leave in the database, without a commit and before one."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from bot.commands.authorise import Asking
from bot.commands.grammar import Command, Parsed
from bot.commands.outcome import Acknowledged, Ignored, Outcome, Planned, TakenBack
from bot.commands.run import Batch
from bot.core.edit_plan import EditPlan, FileEdit
from bot.core.git_oid import blob_oid
from bot.core.review import review
from bot.handlers.command_context import Asked, context_of
from bot.handlers.keeping import keep, write_down
from bot.handlers.turn import Turn
from bot.store import approvals, audit
from bot.store.acknowledgements import acknowledged
from bot.store.database import Database
from bot.store.dismissals import dismissed
from bot.store.kept import kept
from tests.handlers.conftest import KEY
from tests.making import ALICE, memory, snapshot, store

BINDS = memory()
ASKING = Asking(sender=ALICE, permission=frozenset({"maintain"}))


def asked(turn: Turn) -> Asked:
    pull = snapshot(base=[store(BINDS)])
    context = context_of(pull, review(pull), ASKING, now=datetime(2026, 10, 10, tzinfo=UTC))
    return Asked(turn=turn, parsed=Parsed(), snapshot=pull, context=context, asking=ASKING)


def batch(*outcomes: Outcome, plan: EditPlan | None = None, upheld: str = "") -> Batch:
    named = tuple((Command(verb="ack"), outcome) for outcome in outcomes)
    return Batch(outcomes=named, plan=plan, upheld=frozenset(filter(None, [upheld])))


async def test_what_is_kept_once_and_taken_back(database: Database, turn: Turn) -> None:
    on = asked(turn)
    said = batch(
        Acknowledged(memories=(BINDS,), reason="agreed"), Ignored(fingerprints=("f" * 16, "a" * 16))
    )
    for _ in range(2):  # tried again after a crash
        await keep(on, database, said)
    (ack,) = database.transact_here(partial(acknowledged, key=KEY))
    assert (ack.path, ack.oid) == on.snapshot.base.version(BINDS)
    assert (ack.actor, ack.reason, ack.comment) == ("alice", "agreed", "issuecomment-3")
    assert database.transact_here(partial(dismissed, repository_id=7)) == {"f" * 16, "a" * 16}
    known = database.transact_here(partial(kept, key=KEY, by=""))
    assert len(known) == 3
    later = asked(replace(turn, waiting=replace(turn.waiting, written_ms=1_001)))
    await keep(later, database, batch(TakenBack(kept=known, words=("ack",), is_told=False)))
    assert database.transact_here(partial(kept, key=KEY, by="")) == ()
    await keep(on, database, said)  # written before that, and late
    assert database.transact_here(partial(kept, key=KEY, by="")) == ()


async def test_only_what_is_upheld_is_approved_and_the_newest_plan_counts(
    database: Database, turn: Turn
) -> None:
    on = asked(turn)
    for text in (b"first", b"second"):  # planned again on a newer head
        edits = (
            FileEdit(path="a.md", data=text, expected_oid=None),
            FileEdit(path="AGENTS.md", data=b"x", expected_oid=None),
        )
        plan = EditPlan(edits=edits)
        await write_down(on, database, batch(Planned(plan=plan), upheld="a.md"), plan)
    found = database.transact_here(partial(approvals.approved, key=KEY))
    assert found == {("a.md", blob_oid(b"second"))}
    named = partial(audit.planned, key=KEY, comment="issuecomment-3", digest="d")
    (row,) = database.transact_here(named)
    assert (row.actor, row.permission) == ("alice", "maintain")
