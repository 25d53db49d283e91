"""Carrying out a comment's commands: planned on the head as it is, written down, committed.

What a commit will do is written down before it is made, and the commit names its comment. So when
the process stops in between, the next one knows the commit again and says what is left to say.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

import sqlalchemy as sa

from bot.commands import answers, message, not_run
from bot.commands.authorise import Asking, highest, may_command
from bot.commands.context import Context
from bot.commands.grammar import Command, Parsed
from bot.commands.outcome import Acknowledged, Ignored, Refused, TakenBack
from bot.commands.relink import new_paths
from bot.commands.run import Batch, reply, rest, run
from bot.commands.undo import is_of_the_last, judged_as
from bot.core.edit_plan import EditPlan
from bot.core.git_oid import blob_oid
from bot.core.snapshot import PullRequest, Snapshot
from bot.github.commit import CannotPush, Committed, NotOpen, StaleHead, commit
from bot.github.conversation import CommandComment
from bot.github.installation import RepositoryAccess
from bot.github.merging import merge
from bot.github.own_pulls import Landed
from bot.github.publish import Publication, shown_since
from bot.github.snapshot import Loaded
from bot.github.trees import missing_from
from bot.handlers.after_merge import AfterMerge
from bot.handlers.asking import ask
from bot.handlers.audit import rows_of
from bot.handlers.command_context import contents_of, context_of
from bot.handlers.forking import fork_of
from bot.handlers.seen import why_not_seen
from bot.handlers.turn import Turn, now_ms
from bot.handlers.undoing import last_commit
from bot.render.buttons import with_buttons
from bot.render.check_runs import check_runs
from bot.render.markdown import line
from bot.render.suggestions import Suggestion, suggestions
from bot.store import approvals, audit, kept
from bot.store.acknowledgements import Acknowledgement, acknowledge
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import WaitingCommand
from bot.store.database import Database
from bot.store.dismissals import Dismissal, dismiss
from bot.store.shown_memories import seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a comment's commands."""

    text: str | None  # the answer; None where a reaction says it all
    refused: bool
    audit: tuple[AuditRow, ...]  # a row for each command
    decided: EditPlan | None  # what was committed, or given as a patch
    suggested: tuple[Suggestion, ...] = ()  # what was given as a patch, where it fits on lines
    landed: Landed | None = None  # the commit, where it was made after the merge


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a comment asks for, and what that is judged by."""

    turn: Turn
    parsed: Parsed
    snapshot: Snapshot
    context: Context
    asking: Asking

    def may(self, command: Command) -> Refused | None:
        pull, settings = self.snapshot.pull, self.snapshot.settings
        for verb in judged_as(command, self.context):
            if refused := may_command(verb, self.asking, pull=pull, settings=settings):
                return refused
            if pull.is_merged and (refused := not_run.after_merge(verb)):
                return refused
        return None

    def rows(
        self, batch: Batch, planned: AuditOutcome, sha: str | None = None
    ) -> tuple[AuditRow, ...]:
        return rows_of(
            self.turn,
            batch,
            planned,
            actor=self.asking.sender,
            permission=highest(self.asking.permission or ()),
            head_sha=self.snapshot.pull.head_sha,
            sha=sha,
        )

    def done(
        self,
        batch: Batch,
        *,
        sha: str | None = None,
        instead: str = "",
        besides: str = "",
        decided: EditPlan | None = None,
        landed: Landed | None = None,
    ) -> Done:
        """sha: of the commit. instead: why what was planned was not committed, for the answer.
        besides: what is to be known of the commit."""
        outcome = AuditOutcome.REFUSED if instead else AuditOutcome.DONE
        text = reply(batch, self.parsed.misses, instead=instead, besides=besides)
        return Done(
            text=with_landed(text, landed, self.snapshot),
            landed=landed,
            refused=bool(instead or self.parsed.misses) or batch.is_refused,
            audit=self.rows(batch, outcome, sha),
            decided=decided,
        )


async def carry_out(
    turn: Turn,
    database: Database,
    comment: CommandComment,
    parsed: Parsed,
    loaded: Loaded,
    *,
    is_last: bool,
) -> Done:
    """Plan and commit. Raises StaleHead when the head has moved meanwhile, unless is_last."""
    snapshot = loaded.snapshot
    asked = await _ask(turn, database, comment, parsed, snapshot)
    batch = await asyncio.to_thread(run, parsed.commands, asked.context, may=asked.may)
    await _keep(asked, database, batch)
    if comment.button:
        batch = batch.untold()
    plan = batch.plan
    if plan is None or not plan.edits:
        return asked.done(batch)
    report = asked.context.report
    runs = with_buttons(check_runs(report), report) if report else ()
    verdicts = Publication(check_runs=runs, comment=None, reruns=turn.state.reruns)
    is_merged = snapshot.pull.is_merged  # then it is planned on the base, not on what was shown
    since = None if is_merged else shown_since(verdicts, loaded.published)
    is_seen = comment.head_sha == snapshot.pull.head_sha
    if not is_seen and (
        why := await why_not_seen(turn, database, snapshot, plan, shown_since=since)
    ):
        return asked.done(batch, instead=why)
    await _write_down(asked, database, batch, plan)
    body = message.body(
        plan,
        sender=comment.author,
        comment=turn.waiting.comment,
        digest=turn.waiting.digest,
        number=snapshot.pull.number,
        repository=snapshot.repository,
    )
    landed, besides = None, ""
    try:
        if snapshot.pull.is_merged:
            rows = asked.rows(batch, AuditOutcome.PLANNED)
            after = AfterMerge(turn=turn, snapshot=snapshot, rows=rows, sender=comment.author)
            landed = await after.land(plan, body=body)
            sha = landed.sha
        else:
            made = await _commit(turn.access, plan, snapshot.pull, body=body)
            sha = made.sha
            besides = answers.dismissed(snapshot.pull.base_ref) if made.dismisses_reviews else ""
    except StaleHead:
        if not is_last:
            raise
        return asked.done(batch, instead=not_run.MOVING)
    except NotOpen:
        return asked.done(batch, instead=not_run.NOT_OPEN)
    except CannotPush as refusal:
        return _by_hand(asked, batch, plan, refusal)
    return asked.done(batch, sha=sha, besides=besides, decided=plan, landed=landed)


async def _commit(
    access: RepositoryAccess, plan: EditPlan, pull: PullRequest, *, body: str
) -> Committed:
    if plan.merge:
        return await merge(access, plan, plan.merge, pull, body=body)
    return await commit(access, plan, pull, body=body)


def _by_hand(asked: _Asked, batch: Batch, plan: EditPlan, refusal: CannotPush) -> Done:
    """What is left where the app cannot push: a person does it, with what the answer gives."""
    snapshot = asked.snapshot
    is_fork = snapshot.pull.is_fork
    why = refusal.reason + (f" It says: {line(refusal.said, 300)}" if refusal.said else "")
    if plan.merge:
        remote = snapshot.repository.url if is_fork else "origin"
        base = contents_of(snapshot.base)
        steps = answers.with_merge(plan, plan.merge, base, why, remote=remote)
        return asked.done(batch, instead=steps)
    before = contents_of(snapshot.head)
    done = asked.done(batch, instead=answers.with_patch(plan, before, why), decided=plan)
    if is_fork:  # of a branch that is protected, suggestions would not be taken
        done = replace(done, suggested=suggestions(plan, before, snapshot.files))
    return done


def with_landed(text: str | None, landed: Landed | None, snapshot: Snapshot) -> str | None:
    """An answer that begins with where the commit is, where it was made after the merge."""
    if landed is None:
        return text
    number, url = (landed.pull.number, landed.pull.url) if landed.pull else (0, "")
    where = answers.landed(landed.sha, snapshot.pull.base_ref, number=number, url=url)
    return "\n\n".join(filter(None, [where, text]))


def commit_of(snapshot: Snapshot, waiting: WaitingCommand) -> str | None:
    """The commit that an earlier try of a comment made, if it stands on the branch."""
    return next(
        (
            one.sha
            for one in snapshot.commits
            if one.is_ours and message.names(one.message, waiting.comment, waiting.digest)
        ),
        None,
    )


async def words_left(
    turn: Turn,
    database: Database,
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
    asked = await _ask(turn, database, comment, parsed, snapshot)
    touched = next((one.paths for one in snapshot.commits if one.sha == sha), ())
    batch = await asyncio.to_thread(
        rest, parsed.commands, done, touched, asked.context, may=asked.may
    )
    return reply(batch, parsed.misses)


async def _ask(
    turn: Turn,
    database: Database,
    comment: CommandComment,
    parsed: Parsed,
    snapshot: Snapshot,
) -> _Asked:
    """What commands are planned on, and what their sender may do, asked now."""
    asking = await ask(
        turn.access,
        [verb for one in parsed.commands for verb in judged_as(one)],
        snapshot,
        sender=comment.author,
        via_app=comment.via_app,
    )
    now, files = datetime.now(UTC), comment.files
    asked = _Asked(
        turn=turn,
        parsed=parsed,
        snapshot=snapshot,
        context=replace(
            await asyncio.to_thread(context_of, snapshot, asking, now=now, files=files),
            written_ms=turn.waiting.written_ms,
        ),
        asking=asking,
    )
    allowed = [command for command in parsed.commands if not asked.may(command)]
    return replace(asked, context=await _looked_up(asked, database, allowed))


async def _looked_up(asked: _Asked, database: Database, commands: Sequence[Command]) -> Context:
    """The context with what only some commands look at, since it costs requests."""
    context, turn, snapshot = asked.context, asked.turn, asked.snapshot
    if links := new_paths(commands, [tree.store.root for tree in context.trees]):
        missing = await missing_from(turn.access, snapshot.pull.head_sha, links)
        context = replace(context, missing=missing)
    if any(command.verb == "ack" for command in commands):
        find = partial(seen, key=turn.state.key, before_ms=turn.waiting.written_ms)
        context = replace(context, seen=await database.transact(find))
    if any(command.verb == "undo" for command in commands):
        look = partial(kept.kept, key=turn.state.key, by=_name(turn))
        context = replace(context, kept=await database.transact(look))
    if any(map(is_of_the_last, commands)):
        context = replace(context, last=await last_commit(turn, database, snapshot))
    if any(command.verb == "reappend" for command in commands):
        context = replace(context, fork=await fork_of(turn.access, snapshot))
    return context


async def _keep(asked: _Asked, database: Database, batch: Batch) -> None:
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
                for fingerprint in outcome.fingerprints:
                    one = Dismissal(
                        fingerprint=fingerprint,
                        actor_id=waiting.author_id,
                        number=key.number,
                        comment=waiting.comment,
                    )
                    dismiss(connection, key.repository_id, one, written_ms=written_ms, now_ms=now)
            elif isinstance(outcome, TakenBack):
                by = _name(asked.turn)
                kept.undo(connection, key, outcome.kept, by=by, written_ms=written_ms)

    if any(isinstance(one, Acknowledged | Ignored | TakenBack) for _, one in batch.outcomes):
        await database.transact(write)


def _acknowledgements(asked: _Asked, outcome: Acknowledged) -> list[Acknowledgement]:
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


def _name(turn: Turn) -> str:
    """What tells a comment as it is now from all others."""
    return f"{turn.waiting.comment} {turn.waiting.digest}"


async def _write_down(asked: _Asked, database: Database, batch: Batch, plan: EditPlan) -> None:
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
