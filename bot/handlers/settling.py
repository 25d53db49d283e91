"""What the database has of comments with commands: which wait, and what became of each."""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa

from bot.commands import not_run
from bot.handlers.audit import closed
from bot.handlers.turn import Turn, now_ms
from bot.store import approvals, audit, pulls
from bot.store import commands as stored
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import MAX_AN_HOUR, CommandOutcome, WaitingCommand
from bot.store.database import Database
from bot.store.pulls import PullKey, PullState

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """Keeps and settles comments."""

    database: Database

    async def waiting(self, state: PullState) -> tuple[WaitingCommand, ...]:
        """The comments that wait on a pull request, in the order in which they were written."""
        return await self.database.transact(partial(stored.waiting, key=state.key))

    async def planned(self, state: PullState, waiting: WaitingCommand) -> tuple[AuditRow, ...]:
        """What was written down before a comment's commit; empty when none was begun."""
        find = partial(audit.planned, key=state.key, comment=waiting.comment, digest=waiting.digest)
        return await self.database.transact(find)

    async def count_attempt(self, state: PullState, waiting: WaitingCommand) -> None:
        """That a comment could not be run."""
        attempted = partial(stored.attempted, key=state.key, command=waiting)
        await self.database.transact(attempted)

    async def hand_on(self, turn: Turn) -> bool:
        """Let the edit that has come have what this text asked for; whether there is one."""
        hand_on = partial(stored.hand_on, key=turn.state.key, command=turn.waiting)
        return await self.database.transact(hand_on)

    async def too_many(self, turn: Turn) -> str | None:
        """Why a comment is one too many of its author's, "" where that was said; None: it is not.

        Anyone may write on a pull request, and each command costs requests.
        """
        count = partial(stored.answered, key=turn.state.key, command=turn.waiting)
        answered, too_many = await self.database.transact(count)
        if answered < MAX_AN_HOUR:
            return None
        return "" if too_many else not_run.too_many(MAX_AN_HOUR)

    async def carry_over(self, turn: Turn, key: PullKey) -> None:
        """Approve what a comment approved on another pull request too."""
        waiting = turn.waiting
        carry = partial(
            approvals.carry_over, key=key, comment=waiting.comment, digest=waiting.digest
        )
        await self.database.transact(carry)

    async def give_up(
        self, state: PullState, waiting: WaitingCommand, outcome: CommandOutcome
    ) -> None:
        """Settle a comment whose commands nobody has read, or of which nothing was done."""
        told = AuditOutcome(outcome.value)
        rows = closed(await self.planned(state, waiting), told)
        settle = partial(
            stored.settle,
            key=state.key,
            command=waiting,
            outcome=outcome,
            audit=rows or (stored.unread_row(waiting, told),),
            now_ms=now_ms(),
        )
        await self.database.transact(settle)
        log.info("pull request %s: %s is %s", state.key, waiting.comment, outcome)

    async def settle(
        self,
        turn: Turn,
        outcome: CommandOutcome,
        *,
        rows: tuple[AuditRow, ...] = (),
        keeps_approvals: bool = False,
        rejected: Collection[str] = (),
        undone: str = "",
        head_sha: str | None = None,
    ) -> None:
        """rejected: paths whose approvals are taken back, wherever head_sha is the head.

        undone: the commit whose approvals are.
        """
        key = turn.state.key

        def write(connection: sa.Connection) -> None:
            stored.settle(
                connection,
                key,
                turn.waiting,
                outcome,
                audit=rows,
                keeps_approvals=keeps_approvals,
                now_ms=now_ms(),
            )
            if undone:
                approvals.take_back(connection, key.repository_id, undone)
            if rejected:
                sharing = pulls.sharing(connection, key, [head_sha])
                numbers = [key.number, *(wake.key.number for wake in sharing)]
                approvals.revoke(connection, key.repository_id, numbers, rejected)

        await self.database.transact(write)
        log.info("pull request %s: %s is %s", key, turn.waiting.comment, outcome)
