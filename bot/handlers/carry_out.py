"""Carrying out a comment's commands: planned on the head as it is, written down, committed.

What a commit will do is written down before it is made, and the commit names its comment. So when
the process stops in between, the next one knows the commit again and says what is left to say.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from bot.commands import answers, message, not_run
from bot.commands.authorise import may_command, needs_permission, read_permission
from bot.commands.context import Context
from bot.commands.grammar import Command, Parsed
from bot.commands.outcome import Refused
from bot.commands.run import Batch, May, reply, rest, run
from bot.core.edit_plan import EditPlan
from bot.core.git_oid import blob_oid
from bot.core.snapshot import Snapshot
from bot.github import conversation
from bot.github.commit import CannotPush, NotOpen, StaleHead, commit
from bot.github.conversation import CommandComment
from bot.handlers.audit import rows_of
from bot.handlers.command_context import contents_of, context_of
from bot.handlers.seen import why_not_seen
from bot.handlers.turn import Turn, now_ms
from bot.render.markdown import line
from bot.store import commands as stored
from bot.store.commands import AuditOutcome, AuditRow
from bot.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a comment's commands."""

    text: str | None  # the answer; None where a reaction says it all
    refused: bool
    audit: tuple[AuditRow, ...]  # a row for each command
    decided: EditPlan | None  # what was committed, or given as a patch

    @classmethod
    def of(
        cls,
        comment: CommandComment,
        batch: Batch,
        parsed: Parsed,
        *,
        sha: str | None = None,
        instead: str = "",
        decided: EditPlan | None = None,
    ) -> "Done":
        """sha: of the commit. instead: why what was planned was not committed, for the answer."""
        outcome = AuditOutcome.REFUSED if instead else AuditOutcome.DONE
        return cls(
            text=reply(batch, parsed.misses, instead=instead),
            refused=bool(instead or parsed.misses) or batch.is_refused,
            audit=rows_of(comment, batch, outcome, sha),
            decided=decided,
        )


async def carry_out(
    turn: Turn,
    database: Database,
    comment: CommandComment,
    parsed: Parsed,
    snapshot: Snapshot,
    *,
    is_last: bool,
) -> Done:
    """Plan and commit. Raises StaleHead when the head has moved meanwhile, unless is_last."""
    context, may = await _context(turn, comment, parsed.commands, snapshot)
    batch = await asyncio.to_thread(run, parsed.commands, context, may=may)
    plan = batch.plan
    if plan is None or not plan.edits:
        return Done.of(comment, batch, parsed)
    if why := await why_not_seen(turn, database, comment, snapshot, plan):
        return Done.of(comment, batch, parsed, instead=why)
    await _write_down(turn, database, comment, batch, plan)
    body = message.body(
        plan, sender=comment.author, comment_id=comment.id, repository=snapshot.repository
    )
    try:
        made = await commit(turn.access, plan, snapshot.pull, body=body)
    except StaleHead:
        if not is_last:
            raise
        return Done.of(comment, batch, parsed, instead=not_run.MOVING)
    except NotOpen:
        return Done.of(comment, batch, parsed, instead=not_run.NOT_OPEN)
    except CannotPush as refusal:
        why = refusal.reason + (f" It says: {line(refusal.said, 300)}" if refusal.said else "")
        patch = answers.with_patch(plan, contents_of(snapshot), why)
        return Done.of(comment, batch, parsed, instead=patch, decided=plan)
    return Done.of(comment, batch, parsed, sha=made.sha, decided=plan)


def commit_of(snapshot: Snapshot, comment_id: int) -> str | None:
    """The commit that an earlier try of a comment made, if it stands on the branch."""
    trailer = message.trailer(comment_id)
    ours = (commit for commit in snapshot.commits if commit.is_ours)
    return next((one.sha for one in ours if trailer in one.message.splitlines()), None)


async def words_left(
    turn: Turn,
    comment: CommandComment,
    parsed: Parsed,
    snapshot: Snapshot,
    *,
    rows: Sequence[AuditRow],
    sha: str,
) -> str | None:
    """What is left to say of a comment whose commit an earlier try made.

    rows: what was written down before the commit, one for each command of the comment.
    """
    done = [row.position for row in rows if row.outcome is AuditOutcome.PLANNED]
    context, may = await _context(turn, comment, parsed.commands, snapshot)
    touched = next((one.paths for one in snapshot.commits if one.sha == sha), ())
    batch = await asyncio.to_thread(rest, parsed.commands, done, touched, context, may=may)
    return reply(batch, parsed.misses)


async def _context(
    turn: Turn, comment: CommandComment, commands: Sequence[Command], snapshot: Snapshot
) -> tuple[Context, May]:
    """What commands are planned on, and which of them their sender may run, asked now."""
    permission = None
    if comment.author and needs_permission(one.verb for one in commands):
        answer = await conversation.permission_answer(turn.access, comment.author)
        permission = read_permission(answer)
    now = datetime.now(UTC)
    context = await asyncio.to_thread(context_of, snapshot, sender=comment.author, now=now)

    def may(command: Command) -> Refused | None:
        return may_command(
            command.verb,
            sender=comment.author,
            permission=permission,
            settings=snapshot.settings,
            via_app=comment.via_app,
        )

    return context, may


async def _write_down(
    turn: Turn, database: Database, comment: CommandComment, batch: Batch, plan: EditPlan
) -> None:
    approved = {action.memory.path for action in plan.actions if action.verb == "approve"}
    blobs = {
        edit.path: blob_oid(edit.data)
        for edit in plan.edits
        if edit.path in approved and edit.data is not None
    }
    await database.transact(
        partial(
            stored.plan,
            key=turn.state.key,
            comment_id=comment.id,
            audit=rows_of(comment, batch, AuditOutcome.PLANNED),
            approved=blobs,
            now_ms=now_ms(),
        )
    )
