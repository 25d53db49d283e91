"""Running the commands that wait on a pull request, before it is reviewed.

Each comment is fetched again, its sender's permission asked, its commands planned on the head as it
is and committed at once (carry_out.py). Everything may be run twice: the commit is known again by
the comment that it names, an answer by its marker.

A maintainer decides on what could be seen when the comment was written. What has changed since is
not decided on. Where GitHub cannot be asked a comment waits, but not for long (PATIENCE). What then
becomes of it is said as soon as GitHub lets us (LAST_WORD).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot.commands import message, not_run
from bot.commands.grammar import NAMES, Parsed, parse, without
from bot.commands.registry import HANDLERS
from bot.core.anchor import Anchor, Kind
from bot.core.edit_plan import EditPlan, reverted
from bot.core.errors import GitHubError
from bot.core.snapshot import Snapshot
from bot.github import conversation
from bot.github.commit import CannotPush, StaleHead
from bot.github.conversation import CommandComment
from bot.github.errors import HeadMoved, NotFound, RateLimited
from bot.github.installation import RepositoryAccess
from bot.github.own_pulls import Landed
from bot.github.snapshot import Loaded
from bot.handlers import pressing
from bot.handlers.after_merge import AfterMerge, at_base
from bot.handlers.answering import answer, offer, refuse
from bot.handlers.audit import committed, row, stops_ignoring
from bot.handlers.carry_out import carry_out, commit_of, with_landed, words_left
from bot.handlers.command_context import Contexts
from bot.handlers.loading import Loader
from bot.handlers.settling import Settling
from bot.handlers.showing import Showing
from bot.handlers.turn import Turn, is_late, is_past_words, pause_after
from bot.jobs.worker import RetryLater
from bot.store import commands as stored
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import CommandOutcome, WaitingCommand
from bot.store.pulls import PullKey, PullState, Wake
from bot.store.work import News, RepositoryNews, Work, WorkKind

log = logging.getLogger(__name__)

_TRIES: Final = 4  # a head that moves while it is read, or between plan and commit
# Attempts, half a minute in all, after which a comment that GitHub does not find is believed to be
# deleted.
_GONE_AFTER: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandJobs:
    """Runs what maintainers ask for. pause: the shortest before a comment is tried again.

    wake: has pull requests brought up to date.
    """

    loader: Loader
    contexts: Contexts
    settling: Settling
    showing: Showing
    pause: timedelta
    wake: Callable[[Sequence[News]], Awaitable[None]]
    names: tuple[str, ...] = NAMES  # what a command may begin with

    async def run_waiting(self, access: RepositoryAccess, state: PullState) -> bool:
        """Run the comments that wait, in the order in which they were written; whether any did.

        One that cannot be run stands in the way of no other, and of no review. Raises RateLimited.
        """
        found = await self.settling.waiting(state)
        for one in found:  # each anew: the turn of one may change what another is to do
            left = await self.settling.waiting(state)
            waiting = next((each for each in left if _is_same(each, one)), None)
            if waiting is None:
                continue
            turn = Turn(access=access, state=state, waiting=waiting)
            try:
                await self._run(turn)
            except RateLimited:
                raise
            except GitHubError as error:
                log.warning("pull request %s: %s: %s", state.key, waiting.comment, error)
                await self.settling.count_attempt(state, waiting)
        return bool(found)

    async def retry_the_rest(self, state: PullState, *, untried: bool = False) -> None:
        """Raise RetryLater when comments still wait because GitHub could not be asked.

        untried: also for those that were not tried, since the job itself failed.
        """
        waiting = await self.settling.waiting(state)
        if untried:
            for one in waiting:
                await self.settling.count_attempt(state, one)
        attempts = max((one.attempts for one in waiting), default=0) + untried
        if waiting and attempts:
            raise RetryLater(pause_after(attempts, self.pause), covers_wakes=False)

    async def let_go(self, state: PullState) -> None:
        """Let comments go without a word: it could not be said in all the time that was given."""
        for waiting in await self.settling.waiting(state):
            if is_past_words(waiting):
                log.error("%s of %s gets no answer", waiting.comment, state.key)
                await self.settling.give_up(state, waiting, CommandOutcome.FAILED)

    async def _run(self, turn: Turn) -> None:
        for left in reversed(range(_TRIES)):
            try:
                await self._try(turn, is_last=not left)
            except (StaleHead, HeadMoved) as moved:
                log.info("pull request %s: %s", turn.state.key, moved)
            else:
                return
        raise GitHubError("the branch kept moving while it was read")

    async def _try(self, turn: Turn, *, is_last: bool) -> None:
        """Do what a comment asks for, as it is now. Raises HeadMoved; StaleHead unless is_last."""
        comment = await self._comment(turn)
        await turn.access.check_claim()
        if rows := await self.settling.planned(turn.state, turn.waiting):
            loaded = await self._load(turn)
            sha, landed = commit_of(loaded.snapshot, turn.waiting), None
            if sha is None and loaded.snapshot.pull.is_merged:
                landed = await _landed(turn, comment, loaded, rows)
                sha = landed.sha if landed else None
            if sha is not None:
                await self._finish(turn, comment, loaded, rows, sha=sha, landed=landed)
                return
        if comment is None:
            await self.settling.give_up(turn.state, turn.waiting, CommandOutcome.GONE)
            return
        parsed = await asyncio.to_thread(self._parsed, comment, turn.waiting)
        is_talk = not parsed.commands and not parsed.misses
        if stored.digest(comment.body) != turn.waiting.digest:
            if not await self.settling.hand_on(turn) and not is_talk:  # else it is taken back
                await refuse(turn, comment, not_run.EDITED)
            await self.settling.give_up(turn.state, turn.waiting, CommandOutcome.EDITED)
        elif is_talk:
            await self.settling.settle(turn, CommandOutcome.TALK)
        elif is_late(turn.waiting):
            await self._decline(turn, comment, parsed, not_run.LATE, CommandOutcome.FAILED)
        elif (too_many := await self.settling.too_many(turn)) is not None:
            await self._decline(turn, comment, parsed, too_many, CommandOutcome.TOO_MANY)
        else:
            await self._obey(turn, comment, parsed, is_last=is_last)

    async def _comment(self, turn: Turn) -> CommandComment | None:
        """A comment as it is now; None when it was deleted, as far as one can believe GitHub."""
        anchor, number = Anchor.parse(turn.waiting.comment), turn.state.key.number
        if anchor.kind is Kind.PRESS:
            return await pressing.words_of(turn, anchor)
        comment = await conversation.read_comment(turn.access, anchor, number_=number)
        if comment is None and turn.waiting.attempts < _GONE_AFTER:
            raise NotFound(turn.waiting.comment)
        return comment if comment and comment.number == number else None

    async def _obey(
        self, turn: Turn, comment: CommandComment, parsed: Parsed, *, is_last: bool
    ) -> None:
        loaded = await self._load(turn)
        snapshot, pull_node = loaded.snapshot, loaded.published.pull_node
        is_merged = snapshot.pull.is_merged
        if why := _why_not_now(snapshot, comment):
            if why == not_run.OTHER_HEAD and _is_pressed_again(snapshot, turn.waiting):
                why = ""  # what was asked for is done, and shows
            await self._decline(turn, comment, parsed, why, CommandOutcome.REFUSED)
            return
        if is_merged:
            snapshot = at_base(snapshot)
            loaded = replace(loaded, snapshot=snapshot)
        await conversation.react(turn.access, comment.node_id, "EYES")
        done = await carry_out(turn, self.contexts, comment, parsed, loaded, is_last=is_last)
        await self._follow(turn, snapshot, done.landed)
        await self._tell_others(turn, done.audit)
        await answer(turn, pull_node, comment, done.text, refused=done.refused)
        if done.suggested:
            await offer(turn, pull_node, snapshot.pull.head_sha, done.suggested)
        if is_merged:  # nothing is reviewed any more that would show what is there now
            sha = done.landed.sha if done.landed and not done.landed.pull else None
            await self.showing.done(turn.state.key, sha or snapshot.pull.head_sha)
        decided = done.decided or EditPlan()
        await self.settling.settle(
            turn,
            CommandOutcome.REFUSED if done.refused else CommandOutcome.DONE,
            rows=done.audit,
            keeps_approvals=done.decided is not None,
            rejected={
                path for one in decided.actions if one.verb == "reject" for path in one.paths
            },
            undone=decided.reverts,
            head_sha=snapshot.pull.head_sha,
        )

    async def _finish(
        self,
        turn: Turn,
        comment: CommandComment | None,
        loaded: Loaded,
        rows: tuple[AuditRow, ...],
        *,
        sha: str,
        landed: Landed | None,
    ) -> None:
        """Say and write down what an earlier try committed, whatever became of the comment."""
        refused = any(row.outcome is AuditOutcome.REFUSED for row in rows)
        snapshot, pull_node = loaded.snapshot, loaded.published.pull_node
        if landed is not None:
            snapshot = at_base(snapshot)
            await self._follow(turn, snapshot, landed)
        await self._tell_others(turn, rows)
        if comment is not None:
            text = None
            if stored.digest(comment.body) == turn.waiting.digest:
                parsed = await asyncio.to_thread(self._parsed, comment, turn.waiting)
                text = await words_left(
                    turn, self.contexts, comment, parsed, snapshot, rows=rows, sha=sha
                )
                refused = refused or bool(parsed.misses)
            text = with_landed(text, landed, snapshot)
            await answer(turn, pull_node, comment, text, refused=refused)
        rejects = any(row.verb == "reject" for row in rows)
        approved = {path for path, _ in snapshot.approvals} if rejects else set()
        await self.settling.settle(
            turn,
            CommandOutcome.REFUSED if refused else CommandOutcome.DONE,
            rows=committed(rows, sha),
            keeps_approvals=True,
            rejected={path for path in approved if snapshot.head.memory_file(path) is None},
            undone=next((reverted(one.message) for one in snapshot.commits if one.sha == sha), ""),
            head_sha=snapshot.pull.head_sha,
        )

    async def _follow(self, turn: Turn, snapshot: Snapshot, landed: Landed | None) -> None:
        """What a comment approved is approved in the pull request that brings it, too."""
        if landed is None or landed.pull is None:
            return
        key = PullKey(repository_id=turn.state.key.repository_id, number=landed.pull.number)
        await self.settling.carry_over(turn, key)
        wake = Wake(
            key=key,
            installation_id=turn.state.installation_id,
            repository=snapshot.repository.full_name,
        )
        await self.wake([wake])

    async def _tell_others(self, turn: Turn, rows: Sequence[AuditRow]) -> None:
        """Judge all pull requests again where what was no secret in the repository may be one."""
        if not stops_ignoring(rows):
            return
        news = RepositoryNews(
            repository_id=turn.state.key.repository_id,
            installation_id=turn.state.installation_id,
            repository=turn.state.repository,
            work=(Work(kind=WorkKind.WAKE),),
        )
        await self.wake([news])

    async def _decline(
        self,
        turn: Turn,
        comment: CommandComment,
        parsed: Parsed,
        text: str,
        outcome: CommandOutcome,
    ) -> None:
        """Do nothing of a comment, with a row in the audit for each of its commands."""
        await refuse(turn, comment, text)
        told = AuditOutcome(outcome.value)
        rows = tuple(
            row(turn.waiting, position, command, told, actor=comment.author)
            for position, command in enumerate(parsed.commands)
        )
        await self.settling.settle(turn, outcome, rows=rows)

    async def _load(self, turn: Turn) -> Loaded:
        return await self.loader.load(turn.access, turn.state, turn.state.key.number)

    def _parsed(self, comment: CommandComment, waiting: WaitingCommand) -> Parsed:
        """What a comment asks for; of an edited one, what stood not there before."""
        return without(parse(comment.body, HANDLERS, self.names), waiting.known.split())


def _is_same(one: WaitingCommand, other: WaitingCommand) -> bool:
    return (one.comment, one.digest) == (other.comment, other.digest)


def _why_not_now(snapshot: Snapshot, comment: CommandComment) -> str:
    """Why nothing at all of a comment is done on a pull request as it is; "" when it may be."""
    if not snapshot.pull.is_open and not snapshot.pull.is_merged:
        return not_run.NOT_OPEN
    return not_run.OTHER_HEAD if comment.head_sha not in {"", snapshot.pull.head_sha} else ""


def _is_pressed_again(snapshot: Snapshot, waiting: WaitingCommand) -> bool:
    """Whether the head moved by an earlier press of the very button, as a double click is two."""
    return any(
        one.is_ours and message.is_of_button(one.message, waiting.comment, waiting.digest)
        for one in snapshot.commits
    )


async def _landed(
    turn: Turn, comment: CommandComment | None, loaded: Loaded, rows: tuple[AuditRow, ...]
) -> Landed | None:
    """What an earlier try committed after the merge, with the pull request that it is in."""
    sender = comment.author if comment else None
    after = AfterMerge(turn=turn, snapshot=at_base(loaded.snapshot), rows=rows, sender=sender)
    try:
        return await after.landed()
    except CannotPush:  # which is found again when it is tried anew, and said then
        return None
