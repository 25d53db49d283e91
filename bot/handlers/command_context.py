"""What commands are planned on, out of a pull request as it was read, and what their sender may."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

from bot.commands import not_run
from bot.commands.authorise import Asking, authors_of, highest, may_command, remembers_active
from bot.commands.context import Context
from bot.commands.grammar import Command, Parsed
from bot.commands.outcome import Refused
from bot.commands.relink import new_paths
from bot.commands.run import Batch
from bot.commands.undo import is_of_the_last, judged_as
from bot.core.kept import KEPT_VERBS
from bot.core.lifecycle import UNAPPROVED
from bot.core.report import Report
from bot.core.snapshot import Side, Snapshot
from bot.formats.memoryrail.store_tree import StoreTree
from bot.github.conversation import CommandComment
from bot.github.trees import missing_from
from bot.handlers.asking import ask
from bot.handlers.audit import rows_of
from bot.handlers.forking import fork_of
from bot.handlers.indexes import Indexes
from bot.handlers.turn import Turn
from bot.handlers.undoing import last_commit
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.database import Database
from bot.store.kept import kept, undone_since
from bot.store.shown_memories import seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a comment asks for, and what that is judged by."""

    turn: Turn
    parsed: Parsed
    snapshot: Snapshot
    context: Context
    asking: Asking

    def may(self, command: Command) -> Refused | None:
        """Why a command is not allowed; None: it is."""
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
        """The rows for the audit; see rows_of."""
        return rows_of(
            self.turn,
            batch,
            planned,
            actor=self.asking.sender,
            permission=highest(self.asking.permission or ()),
            head_sha=self.snapshot.pull.head_sha,
            sha=sha,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """Reads what commands are planned on."""

    database: Database
    indexes: Indexes

    async def read(
        self, turn: Turn, comment: CommandComment, parsed: Parsed, snapshot: Snapshot
    ) -> Asked:
        """What a comment's commands are planned on, and what their sender may do, asked now."""
        asking = await ask(
            turn.access,
            [verb for one in parsed.commands for verb in judged_as(one)],
            snapshot,
            sender=comment.author,
            via_app=comment.via_app,
        )
        report = await asyncio.to_thread(self.indexes.review, snapshot)
        now = datetime.now(UTC)
        context = await asyncio.to_thread(context_of, snapshot, report, asking, now=now)
        context = replace(context, files=comment.files, written_ms=turn.waiting.written_ms)
        asked = Asked(turn=turn, parsed=parsed, snapshot=snapshot, context=context, asking=asking)
        allowed = [command for command in parsed.commands if not asked.may(command)]
        return replace(asked, context=await self._looked_up(asked, allowed))

    async def _looked_up(self, asked: Asked, commands: Sequence[Command]) -> Context:
        """The context with what only some commands look at, since it costs requests."""
        context, turn, snapshot = asked.context, asked.turn, asked.snapshot
        key, verbs = turn.state.key, {command.verb for command in commands}
        links = new_paths(commands, [tree.store.root for tree in context.trees])
        if "remember" in verbs:
            links += context.files
        if links:
            missing = await missing_from(turn.access, snapshot.pull.head_sha, links)
            context = replace(context, missing=missing)
        if "ack" in verbs:
            find = partial(seen, key=key, before_ms=turn.waiting.written_ms)
            context = replace(context, seen=await self.database.transact(find))
        if verbs.intersection(KEPT_VERBS):
            find_undone = partial(undone_since, key=key, written_ms=turn.waiting.written_ms)
            context = replace(context, undone_since=await self.database.transact(find_undone))
        if "undo" in verbs:
            find_kept = partial(kept, key=key, by=turn.name)
            context = replace(context, kept=await self.database.transact(find_kept))
        if any(map(is_of_the_last, commands)):
            context = replace(context, last=await last_commit(turn, self.database, snapshot))
        if "reappend" in verbs:
            context = replace(context, fork=await fork_of(turn.access, snapshot))
        return context


def context_of(snapshot: Snapshot, report: Report, asking: Asking, *, now: datetime) -> Context:
    """The head's stores with their files, and what a review says of them."""
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
        sender=asking.sender,
        settings=snapshot.settings,
        remembers_active=remembers_active(asking, pull=snapshot.pull, settings=snapshot.settings),
        authors=authors_of(snapshot.commits, snapshot.pull, snapshot.settings),
        report=report,
        merged=_merged(snapshot),
        unapproved=frozenset(
            one.path for one in report.findings if one.rule in UNAPPROVED and one.path
        ),
        approved=frozenset(path for path, _ in snapshot.approvals),
        now=now,
        new_uuid=uuid4,
        url=snapshot.repository.url,
        head_url=_head_url(snapshot),
        head_ref=snapshot.pull.head_ref,
        number=snapshot.pull.number,
    )


def _merged(snapshot: Snapshot) -> frozenset[str] | None:
    """What a merged pull request brought, as far as it still stands."""
    if not snapshot.pull.is_merged:
        return None
    return frozenset(
        file.path for file in snapshot.files if snapshot.head.memory_file(file.path) is not None
    )


def _head_url(snapshot: Snapshot) -> str:
    """The page of the repository that holds the head branch; "" when it is gone."""
    repository, name = snapshot.repository, snapshot.pull.head_repository
    site = repository.url.removesuffix(repository.full_name)
    return f"{site}{name}" if name and repository.url else ""


def contents_of(side: Side) -> dict[str, bytes]:
    """A commit's memory and agent files as bytes, which a patch is made against."""
    files = [file for store in side.stores for file in store.files.values()]
    return {file.path: file.data for file in (*files, *side.agent_files) if file.data is not None}
