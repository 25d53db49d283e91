"""What commands leave in the database: what they keep without a commit, and the plan of one."""

import sqlalchemy as sa

from bot.commands.outcome import Acknowledged, Ignored, TakenBack
from bot.commands.run import Batch
from bot.core.edit_plan import EditPlan
from bot.core.git_oid import blob_oid
from bot.handlers.command_context import Asked
from bot.handlers.turn import now_ms
from bot.store import approvals, audit, kept
from bot.store.acknowledgements import Acknowledgement, acknowledge
from bot.store.audit import AuditOutcome
from bot.store.database import Database
from bot.store.dismissals import Dismissal, dismiss


async def keep(asked: Asked, database: Database, batch: Batch) -> None:
    """Keep what is accepted or no secret, and what no longer is, whatever becomes of the rest.

    Twice is as once.
    """
    key, waiting, now = asked.turn.state.key, asked.turn.waiting, now_ms()
    written_ms = waiting.written_ms

    def write(connection: sa.Connection) -> None:
        for _, outcome in batch.outcomes:
            if isinstance(outcome, Acknowledged):
                made = _acknowledgements(asked, outcome)
                acknowledge(connection, key, made, written_ms=written_ms, now_ms=now)
            elif isinstance(outcome, Ignored):
                for one in _dismissals(asked, outcome):
                    dismiss(connection, key.repository_id, one, written_ms=written_ms, now_ms=now)
            elif isinstance(outcome, TakenBack):
                by = asked.turn.name
                kept.undo(connection, key, outcome.kept, by=by, written_ms=written_ms)

    if any(isinstance(one, Acknowledged | Ignored | TakenBack) for _, one in batch.outcomes):
        await database.transact(write)


def _acknowledgements(asked: Asked, outcome: Acknowledged) -> list[Acknowledgement]:
    actor = asked.asking.sender
    return [
        Acknowledgement(
            path=anchor,
            oid=oid,
            actor=actor.login if actor else "",
            reason=outcome.reason,
            comment=asked.turn.waiting.comment,
        )
        for anchor, oid in map(asked.snapshot.base.version, outcome.memories)
    ]


def _dismissals(asked: Asked, outcome: Ignored) -> list[Dismissal]:
    return [
        Dismissal(
            fingerprint=fingerprint,
            actor_id=asked.turn.waiting.author_id,
            number=asked.snapshot.pull.number,
            comment=asked.turn.waiting.comment,
        )
        for fingerprint in sorted(outcome.fingerprints)  # or two at once block one another
    ]


async def write_down(asked: Asked, database: Database, batch: Batch, plan: EditPlan) -> None:
    """Keep what a commit is to do and to approve, before it is made; an earlier plan goes."""
    contents = {
        edit.path: blob_oid(edit.data)
        for edit in plan.edits
        if edit.path in batch.upheld and edit.data is not None
    }
    key, comment = asked.turn.state.key, asked.turn.waiting.comment
    digest, rows = asked.turn.waiting.digest, asked.rows(batch, AuditOutcome.PLANNED)

    def write(connection: sa.Connection) -> None:
        audit.forget_plan(connection, key, comment, digest)
        audit.write_down(connection, key, rows, now_ms=now_ms())
        approvals.forget(connection, key, comment, digest)
        approvals.approve(connection, key, comment, digest, contents)

    await database.transact(write)
