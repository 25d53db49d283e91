"""Running the commands that wait on a pull request, before it is reviewed.

Each comment is fetched again, its sender's permission asked, its commands planned on the head as it
is and committed at once. Everything may be run twice: what a commit will do is written down before
it is made, the commit is known again by the comment that it names, an answer by its marker.

A maintainer decides on what could be seen when the comment was written. What has changed since is
not decided on.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

from bot.commands import answers
from bot.commands.authorise import may_command, needs_permission, read_permission
from bot.commands.grammar import Command, Parsed, parse
from bot.commands.outcome import Refused
from bot.commands.registry import HANDLERS
from bot.commands.run import Batch, reply, run
from bot.core.edit_plan import EditPlan
from bot.core.errors import GitHubError
from bot.core.git_oid import blob_oid
from bot.core.snapshot import Snapshot
from bot.github import conversation
from bot.github.commit import CannotPush, StaleHead, commit
from bot.github.conversation import CommandComment
from bot.github.errors import HeadMoved, RateLimited
from bot.github.installation import RepositoryAccess
from bot.github.snapshot import Loaded
from bot.handlers.audit import committed, rows_of
from bot.handlers.command_context import contents_of, context_of
from bot.handlers.loading import Loader
from bot.handlers.seen import why_not_seen
from bot.handlers.turn import Turn
from bot.jobs.worker import RetryLater
from bot.store import commands as stored
from bot.store.commands import AuditOutcome, AuditRow, CommandOutcome
from bot.store.database import Database
from bot.store.pulls import PullState

log = logging.getLogger(__name__)

_TRIES: Final = 4  # a head that moves between plan and commit
_ATTEMPTS: Final = 3  # of a comment, when GitHub cannot be asked
_TRAILER: Final = "MemoryRail-Comment"
_EDITED: Final = "This comment was edited before it could run. Write the command again."
_MOVING: Final = "The branch kept moving while this was to be committed. Write the command again."
_IN_PART: Final = (
    "What could be done is committed as {sha}. Repeat the rest to hear why it was not."
)


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
            turn = Turn(access=access, state=state, waiting=waiting)
            try:
                await self._run(turn)
            except RateLimited:
                raise
            except GitHubError as error:
                log.warning("pull request %s: comment %d: %s", state.key, waiting.comment_id, error)
                await self._put_off(turn)
        return bool(found)

    async def shown(self, state: PullState, head_sha: str) -> None:
        """From now on people can see what we say of a head, and decide on it."""
        await self.database.transact(
            partial(stored.show, key=state.key, head_sha=head_sha, now_ms=_now_ms())
        )

    async def retry_the_rest(self, state: PullState, pause: RetryLater) -> None:
        """Raise pause when comments still wait because GitHub could not be asked."""
        left = await self.database.transact(partial(stored.waiting, key=state.key))
        if any(waiting.attempts for waiting in left):
            raise pause

    async def _run(self, turn: Turn) -> None:
        comment = await conversation.read_comment(turn.access, turn.waiting.comment_id)
        loaded = await self._load(turn)
        if await self._finish_earlier(turn, comment, loaded):
            return
        if comment is None or comment.number != turn.state.key.number:
            await self._settle(turn, CommandOutcome.GONE)
        elif stored.digest(comment.body) != turn.waiting.digest:
            await self._answer(turn, loaded, comment, _EDITED, refused=True)
            await self._settle(turn, CommandOutcome.EDITED)
        elif not loaded.snapshot.pull.is_open:
            await conversation.react(turn.access, comment.node_id, "THUMBS_DOWN")
            await self._settle(turn, CommandOutcome.REFUSED)
        else:
            await self._obey(turn, comment, loaded)

    async def _obey(self, turn: Turn, comment: CommandComment, loaded: Loaded) -> None:
        parsed = await asyncio.to_thread(parse, comment.body, HANDLERS)
        if not parsed.commands and not parsed.misses:
            await self._settle(turn, CommandOutcome.DONE)
            return
        await conversation.react(turn.access, comment.node_id, "EYES")
        done = await self._carry_out(turn, comment, parsed, loaded)
        await self._answer(turn, loaded, comment, done.text, refused=done.refused)
        outcome = CommandOutcome.REFUSED if done.refused else CommandOutcome.DONE
        await self._settle(turn, outcome, audit=done.audit)

    async def _carry_out(
        self, turn: Turn, comment: CommandComment, parsed: Parsed, loaded: Loaded
    ) -> "_Done":
        """Plan on the head and commit; where the head moves meanwhile, plan again."""
        for last in (*[False] * (_TRIES - 1), True):
            snapshot = loaded.snapshot
            batch = await self._plan(turn, comment, parsed, snapshot)
            plan = batch.plan
            if plan is None or not plan.edits:
                return _Done.of(comment, batch, parsed)
            if why := await why_not_seen(turn, self.database, comment, snapshot, plan):
                return _Done.of(comment, batch, parsed, instead=why)
            await self._write_down(turn, comment, batch, plan)
            try:
                body = "\n\n".join(filter(None, [plan.body, f"{_TRAILER}: {comment.id}"]))
                made = await commit(turn.access, plan, snapshot.pull, body=body)
            except (StaleHead, HeadMoved) as moved:
                log.info("pull request %s: %s", turn.state.key, moved)
                if last:
                    return _Done.of(comment, batch, parsed, instead=_MOVING)
                loaded = await self._load(turn)
            except CannotPush as refusal:
                patch = answers.with_patch(plan, contents_of(snapshot), refusal.reason)
                return _Done.of(comment, batch, parsed, instead=patch)
            else:
                return _Done.of(comment, batch, parsed, sha=made.sha)
        raise AssertionError("the last try returns")

    async def _plan(
        self, turn: Turn, comment: CommandComment, parsed: Parsed, snapshot: Snapshot
    ) -> Batch:
        permission = None
        if comment.author and needs_permission(one.verb for one in parsed.commands):
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

        return await asyncio.to_thread(run, parsed.commands, context, may=may)

    async def _finish_earlier(
        self, turn: Turn, comment: CommandComment | None, loaded: Loaded
    ) -> bool:
        """Say and write down what an earlier try committed, whatever became of the comment."""
        rows = await self.database.transact(
            partial(stored.planned, key=turn.state.key, comment_id=turn.waiting.comment_id)
        )
        sha = _commit_of(loaded.snapshot, turn.waiting.comment_id)
        if not rows or sha is None:
            return False
        refused = any(row.outcome is AuditOutcome.REFUSED for row in rows)
        if comment is not None:
            text = _IN_PART.format(sha=sha[:7]) if refused else None
            await self._answer(turn, loaded, comment, text, refused=refused)
        outcome = CommandOutcome.REFUSED if refused else CommandOutcome.DONE
        await self._settle(turn, outcome, audit=committed(rows, sha))
        return True

    async def _write_down(
        self, turn: Turn, comment: CommandComment, batch: Batch, plan: EditPlan
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
                key=turn.state.key,
                comment_id=comment.id,
                audit=rows_of(comment, batch, AuditOutcome.PLANNED),
                approved=blobs,
                now_ms=_now_ms(),
            )
        )

    async def _answer(
        self,
        turn: Turn,
        loaded: Loaded,
        comment: CommandComment,
        text: str | None,
        *,
        refused: bool,
    ) -> None:
        if text:
            pull = loaded.published.pull_node
            try:
                await conversation.reply(turn.access, pull, text, in_reply_to=comment.id)
            except RateLimited:
                raise
            except GitHubError as error:  # what was done is done, whether or not it can be said
                log.warning("an answer to comment %d was not taken: %s", comment.id, error)
        thumb: conversation.ReactionContent = "THUMBS_DOWN" if refused else "THUMBS_UP"
        await conversation.react(turn.access, comment.node_id, thumb)

    async def _load(self, turn: Turn) -> Loaded:
        for _ in range(_TRIES):
            try:
                return await self.loader.load(turn.access, turn.state, turn.state.key.number)
            except HeadMoved as moved:
                log.info("pull request %s: %s", turn.state.key, moved)
        raise GitHubError("the branch kept moving while it was read")

    async def _put_off(self, turn: Turn) -> None:
        if turn.waiting.attempts + 1 >= _ATTEMPTS:
            await self._settle(turn, CommandOutcome.FAILED)
            return
        comment_id = turn.waiting.comment_id
        attempted = partial(stored.attempted, key=turn.state.key, comment_id=comment_id)
        await self.database.transact(attempted)

    async def _settle(
        self, turn: Turn, outcome: CommandOutcome, audit: tuple[AuditRow, ...] = ()
    ) -> None:
        comment_id = turn.waiting.comment_id
        log.info("pull request %s: comment %d is %s", turn.state.key, comment_id, outcome)
        await self.database.transact(
            partial(
                stored.settle,
                key=turn.state.key,
                comment_id=comment_id,
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
        parsed: Parsed,
        *,
        sha: str | None = None,
        instead: str = "",
    ) -> "_Done":
        """sha: of the commit. instead: why what was planned was not committed, for the answer."""
        outcome = AuditOutcome.REFUSED if instead else AuditOutcome.DONE
        return cls(
            text=reply(batch, parsed.misses, instead=instead),
            refused=bool(instead) or batch.is_refused,
            audit=rows_of(comment, batch, outcome, sha),
        )


def _commit_of(snapshot: Snapshot, comment_id: int) -> str | None:
    """The commit that an earlier try of a comment made, if it stands on the branch."""
    trailer = f"{_TRAILER}: {comment_id}"
    ours = (commit for commit in snapshot.commits if commit.is_ours)
    return next((one.sha for one in ours if trailer in one.message.splitlines()), None)


def _now_ms() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)
