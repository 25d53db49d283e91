"""The rows that a comment's commands leave in the audit."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.commands.grammar import Command
from bot.commands.outcome import Acknowledged, Ignored, Planned, Refused, Shown, TakenBack
from bot.commands.run import Batch
from bot.core.secrets import redacted
from bot.core.snapshot import Actor
from bot.handlers.turn import Turn
from bot.store.audit import AuditOutcome, AuditRow
from bot.store.commands import WaitingCommand

_MAX_REF: Final = 200  # characters of a ref; a file's path may be one


def rows_of(
    turn: Turn,
    batch: Batch,
    planned: AuditOutcome,
    *,
    actor: Actor | None,
    permission: str = "",
    head_sha: str = "",
    sha: str | None = None,
) -> tuple[AuditRow, ...]:
    """A row for each command. planned: what became of those that change files; sha: their commit.

    permission, head_sha: what the commands were judged by.
    """
    told = {
        Planned: planned,
        Acknowledged: AuditOutcome.DONE,
        Ignored: AuditOutcome.DONE,
        TakenBack: AuditOutcome.DONE,
        Refused: AuditOutcome.REFUSED,
        Shown: AuditOutcome.DRY_RUN,
    }
    return tuple(
        replace(
            row(
                turn.waiting,
                position,
                replace(command, refs=outcome.words) if isinstance(outcome, TakenBack) else command,
                told.get(type(outcome), AuditOutcome.ANSWERED),
                actor=actor,
            ),
            permission=permission,
            head_sha=head_sha,
            commit_sha=sha if isinstance(outcome, Planned) else None,
        )
        for position, (command, outcome) in enumerate(batch.outcomes)
    )


def row(
    waiting: WaitingCommand,
    position: int,
    command: Command,
    outcome: AuditOutcome,
    *,
    actor: Actor | None = None,
) -> AuditRow:
    """A command's row. What people put in the place of a ref may be anything, a password too."""
    refs = redacted(" ".join(redacted(ref) for ref in command.refs))
    return AuditRow(
        comment=waiting.comment,
        digest=waiting.digest,
        position=position,
        actor_id=actor.id if actor else waiting.author_id,
        actor=actor.login if actor else "",
        verb=command.verb,
        refs=" ".join(ref[:_MAX_REF] for ref in refs.split(" ")),
        outcome=outcome,
    )


def stops_ignoring(rows: Sequence[AuditRow]) -> bool:
    """Whether a repository ignores less than before, so that other pull requests may fail."""
    return any(
        one.verb == "undo" and one.outcome is AuditOutcome.DONE and "ignore" in one.refs.split()
        for one in rows
    )


def committed(rows: Sequence[AuditRow], sha: str) -> tuple[AuditRow, ...]:
    """The rows of a plan whose commit stands."""
    return closed(rows, AuditOutcome.DONE, sha)


def closed(
    rows: Sequence[AuditRow], outcome: AuditOutcome, sha: str | None = None
) -> tuple[AuditRow, ...]:
    """Rows of which none is planned any more."""
    return tuple(
        replace(one, outcome=outcome, commit_sha=sha)
        if one.outcome is AuditOutcome.PLANNED
        else one
        for one in rows
    )
