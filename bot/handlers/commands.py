"""Running the commands that wait on a pull request, before it is reviewed.

Each comment is fetched again, its sender's permission asked, its commands planned on the head as it
is and committed at once. Everything may be run twice: what a commit will do is written down before
it is made, the commit is known again by the comment that it names, an answer by its marker.

A maintainer decides on what could be seen when the comment was written. What has changed since is
not decided on.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from bot.commands import answers
from bot.commands.authorise import may_command, needs_permission, read_permission
from bot.commands.grammar import Command, Parsed, parse
from bot.commands.outcome import Planned, Refused
from bot.commands.registry import HANDLERS
from bot.commands.run import Batch, reply, run
from bot.core.edit_plan import EditPlan
from bot.core.errors import GitHubError
from bot.core.snapshot import Snapshot
from bot.github import conversation
from bot.github.commit import CannotPush, StaleHead, commit
from bot.github.conversation import CommandComment
from bot.github.errors import HeadMoved, NotFound, RateLimited
from bot.github.installation import RepositoryAccess
from bot.github.snapshot import Loaded
from bot.github.trees import look_up
from bot.handlers.command_context import contents_of, context_of
from bot.handlers.loading import Loader
from bot.jobs.worker import RetryLater
from bot.store import commands as stored
from bot.store.commands import AuditOutcome, AuditRow, CommandOutcome, WaitingCommand
from bot.store.database import Database
from bot.store.pulls import PullState

log = logging.getLogger(__name__)

_TRIES: Final = 4  # a head that moves between plan and commit
_ATTEMPTS: Final = 3  # of a comment, when GitHub cannot be asked
_TRAILER: Final = "MemoryRail-Comment"
_EDITED: Final = "This comment was edited before it could run. Write the command again."
_MOVING: Final = "The branch kept moving while this was to be committed. Write the command again."
_IN_PART: Final = "What could be done is committed as {sha}. Repeat the rest to hear why it was not."


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandJobs:
    """Runs what maintainers ask for."""

    database: Database
    loader: Loader

    async def run_waiting(self, access: RepositoryAccess, state: PullState) -> bool:
        """Run the comments that wait, in the order in which they were written; whether any did.

        One that cannot be run stands in the way of no other, and of no review. Raises RateLimited.
        """
        found = await self.database.transact(partial(stored.waiting, key=state.key))
        for waiting in found:
            try:
                await self._run(access, state, waiting)
            except RateLimited:
                raise
            except GitHubError as error:
                log.warning("pull request %s: comment %d: %s", state.key, waiting.comment_id, error)
                await self._put_off(state, waiting)
        return bool(found)

    async def retry_the_rest(self, state: PullState, pause: RetryLater) -> None:
        """Raise pause when comments still wait because GitHub could not be asked."""
        if any(one.attempts for one in await self.database.transact(
            partial(stored.waiting, key=state.key)
        )):
            raise pause

    async def _run(
        self, access: RepositoryAccess, state: PullState, waiting: WaitingCommand
    ) -> None:
        comment = await conversation.read_comment(access, waiting.comment_id)
        loaded = await self._load(access, state)
        if await self._finish_earlier(access, state, waiting, comment, loaded):
            return
        if comment is None or comment.number != state.key.number:
            await self._settle(state, waiting, CommandOutcome.GONE)
        elif stored.digest(comment.body) != waiting.digest:
            await self._answer(access, loaded, comment, _EDITED, refused=True)
            await self._settle(state, waiting, CommandOutcome.EDITED)
        elif not loaded.snapshot.pull.is_open:
            await conversation.react(access, comment.node_id, "THUMBS_DOWN")
            await self._settle(state, waiting, CommandOutcome.REFUSED)
        else:
            parsed = await asyncio.to_thread(parse, comment.body, HANDLERS)
            await self._obey(access, state, waiting, comment, parsed, loaded)

    async def _obey(
        self,
        access: RepositoryAccess,
        state: PullState,
        waiting: WaitingCommand,
        comment: CommandComment,
        parsed: Parsed,
        loaded: Loaded,
    ) -> None:
        if not parsed.commands and not parsed.misses:
            await self._settle(state, waiting, CommandOutcome.DONE)
            return
        await conversation.react(access, comment.node_id, "EYES")
        done = await self._carry_out(access, state, comment, parsed, loaded)
        await self._answer(access, loaded, comment, done.text, refused=done.refused)
        outcome = CommandOutcome.REFUSED if done.refused else CommandOutcome.DONE
        await self._settle(state, waiting, outcome, audit=done.audit)

    async def _carry_out(
        self,
        access: RepositoryAccess,
        state: PullState,
        comment: CommandComment,
        parsed: Parsed,
        loaded: Loaded,
    ) -> "_Done":
        """Plan on the head and commit; where the head moves meanwhile, plan again."""
        batch = None
        for _ in range(_TRIES):
            snapshot = loaded.snapshot
            batch = await self._plan(access, comment, parsed, snapshot)
            text = reply(batch, parsed.misses)
            if batch.plan is None or not batch.plan.edits:
                return _Done.of(comment, batch, text)
            if unseen := await self._unseen(access, state, comment, snapshot, batch.plan):
                return _Done.of(comment, batch, unseen, failed=True)
            await self._write_down(state, comment, batch, batch.plan)
            try:
                body = f"{_TRAILER}: {comment.id}"
                made = await commit(access, batch.plan, snapshot.pull, body=body)
            except (StaleHead, HeadMoved) as moved:
                log.info("pull request %s: %s", state.key, moved)
                loaded = await self._load(access, state)
            except CannotPush as refusal:
                patch = answers.with_patch(batch.plan, contents_of(snapshot), refusal.reason)
                words = "\n\n".join(filter(None, [text, patch]))
                return _Done.of(comment, batch, words, failed=True)
            else:
                return _Done.of(comment, batch, text, sha=made.sha)
        if batch is None:
            raise AssertionError("nothing was tried")
        return _Done.of(comment, batch, _MOVING, failed=True)

    async def _plan(
        self, access: RepositoryAccess, comment: CommandComment, parsed: Parsed, snapshot: Snapshot
    ) -> Batch:
        permission = None
        if comment.author and needs_permission(one.verb for one in parsed.commands):
            answer = await conversation.permission_answer(access, comment.author)
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

        return await asyncio.to_thread(run, parsed.commands, context, may=may)

    async def _unseen(
        self,
        access: RepositoryAccess,
        state: PullState,
        comment: CommandComment,
        snapshot: Snapshot,
        plan: EditPlan,
    ) -> str | None:
        """Why a plan is not what its maintainer saw; None when every memory in it is the same."""
        before_ms = int(comment.created_at.timestamp() * 1000)
        seen = await self.database.transact(
            partial(stored.seen, key=state.key, before_ms=before_ms)
        )
        if seen == snapshot.pull.head_sha:
            return None
        if seen is None:
            return answers.not_shown_yet()
        files = {edit.path: snapshot.head.memory_file(edit.path) for edit in plan.edits}
        now = {path: file.oid for path, file in files.items() if file is not None}
        try:
            (listing,), is_complete = await look_up(access, [seen], sorted(now))
        except NotFound:  # pushed away by force, and forgotten since
            return answers.changed_since(sorted(now), seen)
        if not is_complete:
            raise GitHubError(f"GitHub did not give all of commit {seen[:12]}")
        changed = [p for p, oid in sorted(now.items()) if p not in listing or listing[p].oid != oid]
        return answers.changed_since(changed, seen) if changed else None

    async def _finish_earlier(
        self,
        access: RepositoryAccess,
        state: PullState,
        waiting: WaitingCommand,
        comment: CommandComment | None,
        loaded: Loaded,
    ) -> bool:
        """Say and write down what an earlier try committed, whatever became of the comment."""
        rows = await self.database.transact(
            partial(stored.planned, key=state.key, comment_id=waiting.comment_id)
        )
        sha = _commit_of(loaded.snapshot, waiting.comment_id)
        if not rows or sha is None:
            return False
        refused = any(row.outcome is AuditOutcome.REFUSED for row in rows)
        if comment is not None:
            text = _IN_PART.format(sha=sha[:7]) if refused else None
            await self._answer(access, loaded, comment, text, refused=refused)
        outcome = CommandOutcome.REFUSED if refused else CommandOutcome.DONE
        await self._settle(state, waiting, outcome, audit=_committed(rows, sha))
        return True

    async def _write_down(
        self, state: PullState, comment: CommandComment, batch: Batch, plan: EditPlan
    ) -> None:
        approved = {action.memory.path for action in plan.actions if action.verb == "approve"}
        blobs = {
            edit.path: blob_oid(edit.data)
            for edit in plan.edits
            if edit.path in approved and edit.data is not None
        }
        await self.database.transact(
            partial(
                stored.plan,
                key=state.key,
                comment_id=comment.id,
                audit=_audit(comment, batch, AuditOutcome.PLANNED),
                approved=blobs,
                now_ms=_now_ms(),
            )
        )

    async def _answer(
        self,
        access: RepositoryAccess,
        loaded: Loaded,
        comment: CommandComment,
        text: str | None,
        *,
        refused: bool,
    ) -> None:
        if text:
            pull = loaded.published.pull_node
            try:
                await conversation.reply(access, pull, text, in_reply_to=comment.id)
            except RateLimited:
                raise
            except GitHubError as error:  # what was done is done, whether or not it can be said
                log.warning("an answer to comment %d was not taken: %s", comment.id, error)
        thumb: conversation.ReactionContent = "THUMBS_DOWN" if refused else "THUMBS_UP"
        await conversation.react(access, comment.node_id, thumb)

    async def _load(self, access: RepositoryAccess, state: PullState) -> Loaded:
        for _ in range(_TRIES):
            try:
                return await self.loader.load(access, state, state.key.number)
            except HeadMoved as moved:
                log.info("pull request %s: %s", state.key, moved)
        raise GitHubError("the branch kept moving while it was read")

    async def _put_off(self, state: PullState, waiting: WaitingCommand) -> None:
        if waiting.attempts + 1 >= _ATTEMPTS:
            await self._settle(state, waiting, CommandOutcome.FAILED)
            return
        attempted = partial(stored.attempted, key=state.key, comment_id=waiting.comment_id)
        await self.database.transact(attempted)

    async def _settle(
        self,
        state: PullState,
        waiting: WaitingCommand,
        outcome: CommandOutcome,
        audit: tuple[AuditRow, ...] = (),
    ) -> None:
        log.info("pull request %s: comment %d is %s", state.key, waiting.comment_id, outcome)
        await self.database.transact(
            partial(
                stored.settle,
                key=state.key,
                comment_id=waiting.comment_id,
                outcome=outcome,
                audit=audit,
                now_ms=_now_ms(),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """What became of a comment's commands. audit: a row for each of them."""

    text: str | None
    refused: bool
    audit: tuple[AuditRow, ...]

    @classmethod
    def of(
        cls,
        comment: CommandComment,
        batch: Batch,
        text: str | None,
        *,
        sha: str | None = None,
        failed: bool = False,
    ) -> "_Done":
        """failed: what was planned could not be committed."""
        outcome = AuditOutcome.REFUSED if failed else AuditOutcome.DONE
        audit = _audit(comment, batch, outcome, sha)
        return cls(text=text, refused=failed or batch.is_refused, audit=audit)


def _audit(
    comment: CommandComment, batch: Batch, planned: AuditOutcome, sha: str | None = None
) -> tuple[AuditRow, ...]:
    """A row for each command. planned: what became of those that change files."""
    told = {Planned: planned, Refused: AuditOutcome.REFUSED}
    return tuple(
        AuditRow(
            comment_id=comment.id,
            position=position,
            actor_id=comment.author.id if comment.author else None,
            verb=command.verb,
            refs=" ".join(command.refs),
            outcome=told.get(type(outcome), AuditOutcome.ANSWERED),
            commit_sha=sha if isinstance(outcome, Planned) else None,
        )
        for position, (command, outcome) in enumerate(batch.outcomes)
    )


def _committed(rows: Sequence[AuditRow], sha: str) -> tuple[AuditRow, ...]:
    """The rows of a plan whose commit stands."""
    return tuple(
        replace(row, outcome=AuditOutcome.DONE, commit_sha=sha)
        if row.outcome is AuditOutcome.PLANNED
        else row
        for row in rows
    )


def _commit_of(snapshot: Snapshot, comment_id: int) -> str | None:
    """The commit that an earlier try of a comment made, if it stands on the branch."""
    trailer = f"{_TRAILER}: {comment_id}"
    ours = (commit for commit in snapshot.commits if commit.is_ours)
    return next((one.sha for one in ours if trailer in one.message.splitlines()), None)


def _now_ms() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)
