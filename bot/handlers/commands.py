"""Running the commands that wait on a pull request, before it is reviewed.

Each comment is fetched again, its sender's permission asked, its commands planned on the head as it
is and committed at once. Everything may be run twice: a commit is known again by the comment that
it names, an answer by its marker.
"""

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

from bot.commands import answers
from bot.commands.authorise import authors_of, may_command, needs_permission, read_permission
from bot.commands.context import Context
from bot.commands.grammar import Command, Parsed, parse
from bot.commands.outcome import Planned, Refused
from bot.commands.registry import HANDLERS
from bot.commands.run import Batch, reply, run
from bot.core.edit_plan import EditPlan
from bot.core.lifecycle import UNAPPROVED
from bot.core.review import review
from bot.core.snapshot import Snapshot
from bot.formats.memoryrail.lifecycle import StoreTree
from bot.github import conversation
from bot.github.commit import CannotPush, StaleHead, commit
from bot.github.conversation import CommandComment
from bot.github.errors import HeadMoved
from bot.github.installation import RepositoryAccess
from bot.github.snapshot import Loaded
from bot.handlers.loading import Loader
from bot.store import commands as stored
from bot.store.commands import AuditRow, CommandOutcome, WaitingCommand
from bot.store.database import Database
from bot.store.pulls import PullState

log = logging.getLogger(__name__)

_TRIES: Final = 4  # a head that moves between plan and commit
_TRAILER: Final = "MemoryRail-Comment"
_EDITED: Final = "This comment was edited before it could run. Write the command again."


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandJobs:
    """Runs what maintainers ask for."""

    database: Database
    loader: Loader

    async def run_waiting(self, access: RepositoryAccess, state: PullState) -> bool:
        """Run the comments that wait, in the order in which they were written; whether any did."""
        found = await self.database.transact(partial(stored.waiting, key=state.key))
        for waiting in found:
            await self._run(access, state, waiting)
        return bool(found)

    async def _run(
        self, access: RepositoryAccess, state: PullState, waiting: WaitingCommand
    ) -> None:
        comment = await conversation.read_comment(access, waiting.comment_id)
        if comment is None or comment.number != state.key.number:
            await self._settle(state, waiting, CommandOutcome.GONE)
            return
        parsed = await asyncio.to_thread(parse, comment.body, HANDLERS)
        if not parsed.commands and not parsed.misses:
            await self._settle(state, waiting, CommandOutcome.DONE)
            return
        loaded = await self.loader.load(access, state, state.key.number)
        if not loaded.snapshot.pull.is_open:
            await self._settle(state, waiting, CommandOutcome.REFUSED)
            return
        if stored.digest(comment.body) != waiting.digest:
            await self._answer(access, loaded, comment, _EDITED, refused=True)
            await self._settle(state, waiting, CommandOutcome.EDITED)
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
        for _ in range(_TRIES):
            if (sha := _committed_before(loaded.snapshot, comment.id)) is not None:
                return _Done.before(comment, parsed, sha)
            batch = await self._plan(access, comment, parsed, loaded.snapshot)
            text = reply(batch, parsed.misses)
            if batch.plan is None:
                return _Done.of(comment, batch, text)
            await self._remember(state, comment, batch.plan)
            try:
                sha = await _commit(access, loaded.snapshot, batch.plan, comment.id)
            except (StaleHead, HeadMoved) as moved:
                log.info("pull request %s: %s", state.key, moved)
                loaded = await self.loader.load(access, state, state.key.number)
            except CannotPush as refusal:
                patch = answers.with_patch(batch.plan, _before(loaded.snapshot), refusal.reason)
                return _Done.of(
                    comment, batch, "\n\n".join(filter(None, [text, patch])), failed=True
                )
            else:
                return _Done.of(comment, batch, text, sha=sha)
        words = "The branch kept moving while this was to be committed. Write the command again."
        return _Done(text=words, refused=True)

    async def _plan(
        self, access: RepositoryAccess, comment: CommandComment, parsed: Parsed, snapshot: Snapshot
    ) -> Batch:
        permission = None
        if comment.author and needs_permission(one.verb for one in parsed.commands):
            answer = await conversation.permission_answer(access, comment.author)
            permission = read_permission(answer)
        context = await asyncio.to_thread(_context, comment, snapshot)
        return await asyncio.to_thread(
            run,
            parsed.commands,
            context,
            may=lambda command: may_command(
                command.verb,
                sender=comment.author,
                permission=permission,
                settings=snapshot.settings,
                via_app=comment.via_app,
            ),
        )

    async def _remember(self, state: PullState, comment: CommandComment, plan: EditPlan) -> None:
        """Bind the approvals of a plan to the contents that it writes."""
        approved = {action.memory.path for action in plan.actions if action.verb == "approve"}
        blobs = {
            edit.path: _oid(edit.data)
            for edit in plan.edits
            if edit.path in approved and edit.data is not None
        }
        await self.database.transact(
            partial(stored.approve, key=state.key, blobs=blobs, comment_id=comment.id)
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
            await conversation.reply(
                access, loaded.published.pull_node, text, in_reply_to=comment.id
            )
        thumb: conversation.ReactionContent = "THUMBS_DOWN" if refused else "THUMBS_UP"
        await conversation.react(access, comment.node_id, thumb)

    async def _settle(
        self,
        state: PullState,
        waiting: WaitingCommand,
        outcome: CommandOutcome,
        audit: tuple[AuditRow, ...] = (),
    ) -> None:
        log.info("pull request %s: comment %d is %s", state.key, waiting.comment_id, outcome)
        await self.database.transact(
            lambda connection: stored.settle(
                connection,
                state.key,
                waiting.comment_id,
                outcome,
                audit=audit,
                now_ms=int(datetime.now(UTC).timestamp() * 1000),
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """What became of a comment's commands. audit: a row for each of them."""

    text: str | None
    refused: bool
    audit: tuple[AuditRow, ...] = ()

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
        told: dict[type, str] = {Planned: "refused" if failed else "done", Refused: "refused"}
        outcomes = [(command, told.get(type(one), "answered")) for command, one in batch.outcomes]
        audit = _audit(comment, outcomes, sha)
        return cls(text=text, refused=failed or batch.is_refused, audit=audit)

    @classmethod
    def before(cls, comment: CommandComment, parsed: Parsed, sha: str) -> "_Done":
        """The commit of an earlier try stands: all that is left is to say so."""
        outcomes = [(command, "done") for command in parsed.commands]
        return cls(text=None, refused=False, audit=_audit(comment, outcomes, sha))


def _audit(
    comment: CommandComment, outcomes: Sequence[tuple[Command, str]], sha: str | None
) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow(
            comment_id=comment.id,
            position=position,
            actor_id=comment.author.id if comment.author else None,
            verb=command.verb,
            refs=" ".join(command.refs),
            outcome=outcome,
            commit_sha=sha if outcome == "done" else None,
        )
        for position, (command, outcome) in enumerate(outcomes)
    )


def _context(comment: CommandComment, snapshot: Snapshot) -> Context:
    report = review(snapshot)
    agent_files = {file.path: file for file in snapshot.head.agent_files}
    trees = tuple(
        StoreTree(
            store=store,
            files={
                **store.files,
                **{path: agent_files[path] for path in store.agent_files if path in agent_files},
            },
        )
        for store in snapshot.head.stores
    )
    return Context(
        trees=trees,
        base=snapshot.base.stores,
        sender=comment.author,
        authors=authors_of(snapshot.commits, snapshot.pull, snapshot.settings),
        report=report,
        unapproved=frozenset(
            one.path for one in report.findings if one.rule in UNAPPROVED and one.path
        ),
        now=datetime.now(UTC),
        url=snapshot.repository.url,
    )


async def _commit(
    access: RepositoryAccess, snapshot: Snapshot, plan: EditPlan, comment_id: int
) -> str:
    body = f"{_TRAILER}: {comment_id}"
    return (await commit(access, plan, snapshot.pull, body=body)).sha


def _committed_before(snapshot: Snapshot, comment_id: int) -> str | None:
    """The commit that an earlier try of this comment made."""
    trailer = f"{_TRAILER}: {comment_id}"
    return next(
        (
            commit.sha
            for commit in snapshot.commits
            if commit.is_ours and trailer in commit.message.splitlines()
        ),
        None,
    )


def _before(snapshot: Snapshot) -> dict[str, bytes]:
    """The contents that a patch is made against."""
    stored_files = [file for store in snapshot.head.stores for file in store.files.values()]
    return {
        file.path: file.data
        for file in (*stored_files, *snapshot.head.agent_files)
        if file.data is not None
    }


def _oid(data: bytes) -> str:
    """Git's object id of a file with these contents."""
    header = f"blob {len(data)}\0".encode()
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()
