"""Carrying out a comment's commands: planned on the head as it is, written down, committed.

What a commit will do is written down before it is made, and the commit names its comment. So when
the process stops in between, the next one knows the commit again and says what is left to say.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.commands import answers, message, not_run
from bot.commands.grammar import Parsed
from bot.commands.run import Batch, reply, rest, run
from bot.core.edit_plan import EditPlan
from bot.core.snapshot import PullRequest, Snapshot
from bot.github.commit import CannotPush, Committed, NotOpen, StaleHead, commit
from bot.github.conversation import CommandComment
from bot.github.installation import RepositoryAccess
from bot.github.merging import merge
from bot.github.own_pulls import Landed
from bot.github.publish import Publication, shown_since
from bot.github.snapshot import Loaded
from bot.handlers.after_merge import AfterMerge
from bot.handlers.command_context import Asked, Contexts, contents_of
from bot.handlers.keeping import keep, write_down
from bot.handlers.seen import why_not_seen, why_other_base
from bot.handlers.turn import Turn
from bot.render.buttons import with_buttons
from bot.render.check_runs import check_runs
from bot.render.markdown import line
from bot.render.suggestions import Suggestion, suggestions
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import WaitingCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a comment's commands."""

    text: str | None  # the answer; None where a reaction says it all
    refused: bool
    audit: tuple[AuditRow, ...]  # a row for each command
    decided: EditPlan | None  # what was committed, or given as a patch
    suggested: tuple[Suggestion, ...] = ()  # what was given as a patch, where it fits on lines
    landed: Landed | None = None  # the commit, where it was made after the merge


async def carry_out(
    turn: Turn,
    contexts: Contexts,
    comment: CommandComment,
    parsed: Parsed,
    loaded: Loaded,
    *,
    is_last: bool,
) -> Done:
    """Plan and commit. Raises StaleHead when the head has moved meanwhile, unless is_last."""
    snapshot = loaded.snapshot
    asked = await contexts.read(turn, comment, parsed, snapshot)
    batch = await asyncio.to_thread(run, parsed.commands, asked.context, may=asked.may)
    await turn.access.check_claim()
    await keep(asked, contexts.database, batch)
    if comment.button:
        batch = batch.untold()
    plan = batch.plan
    if plan is None or not plan.edits:
        return _done(asked, batch)
    report = asked.context.report
    runs = with_buttons(check_runs(report), report) if report else ()
    verdicts = Publication(check_runs=runs, comment=None, reruns=turn.state.reruns)
    is_merged = snapshot.pull.is_merged  # then it is planned on the base, not on what was shown
    since = None if is_merged else shown_since(verdicts, loaded.published)
    why = await why_other_base(turn, contexts.database, snapshot, parsed.commands)
    if not why and comment.head_sha != snapshot.pull.head_sha:
        why = await why_not_seen(turn, contexts.database, snapshot, plan, shown_since=since)
    if why:
        return _done(asked, batch, instead=why)
    await turn.access.check_claim()  # or the approvals of another process's commit would go
    await write_down(asked, contexts.database, batch, plan)
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
        return _done(asked, batch, instead=not_run.MOVING)
    except NotOpen:
        return _done(asked, batch, instead=not_run.NOT_OPEN)
    except CannotPush as refusal:
        return _by_hand(asked, batch, plan, refusal)
    return _done(asked, batch, sha=sha, besides=besides, decided=plan, landed=landed)


def _done(
    asked: Asked,
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
    text = reply(batch, asked.parsed.misses, instead=instead, besides=besides)
    return Done(
        text=with_landed(text, landed, asked.snapshot),
        landed=landed,
        refused=bool(instead or asked.parsed.misses) or batch.is_refused,
        audit=asked.rows(batch, outcome, sha),
        decided=decided,
    )


async def _commit(
    access: RepositoryAccess, plan: EditPlan, pull: PullRequest, *, body: str
) -> Committed:
    if plan.merge:
        return await merge(access, plan, plan.merge, pull, body=body)
    return await commit(access, plan, pull, body=body)


def _by_hand(asked: Asked, batch: Batch, plan: EditPlan, refusal: CannotPush) -> Done:
    """What is left where the app cannot push: a person does it, with what the answer gives."""
    snapshot = asked.snapshot
    is_fork = snapshot.pull.is_fork
    why = refusal.reason + (f" It says: {line(refusal.said, 300)}" if refusal.said else "")
    if plan.merge:
        remote = snapshot.repository.url if is_fork else "origin"
        base = contents_of(snapshot.base)
        steps = answers.with_merge(plan, plan.merge, base, why, remote=remote)
        return _done(asked, batch, instead=steps)
    before = contents_of(snapshot.head)
    done = _done(asked, batch, instead=answers.with_patch(plan, before, why), decided=plan)
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
    contexts: Contexts,
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
    asked = await contexts.read(turn, comment, parsed, snapshot)
    touched = next((one.paths for one in snapshot.commits if one.sha == sha), ())
    batch = await asyncio.to_thread(
        rest, parsed.commands, done, touched, asked.context, may=asked.may
    )
    return reply(batch, parsed.misses)
