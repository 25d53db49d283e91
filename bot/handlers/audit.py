"""The rows that a comment's commands leave in the audit."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.commands.grammar import Command
from bot.commands.outcome import Planned, Refused
from bot.commands.run import Batch
from bot.core.secrets import redacted
from bot.github.conversation import CommandComment
from bot.store.commands import AuditOutcome, AuditRow

_MAX_REF: Final = 200  # characters of a ref; a file's path may be one


def rows_of(
    comment: CommandComment, batch: Batch, planned: AuditOutcome, sha: str | None = None
) -> tuple[AuditRow, ...]:
    """A row for each command. planned: what became of those that change files."""
    told = {Planned: planned, Refused: AuditOutcome.REFUSED}
    return tuple(
        row(
            comment.id,
            position,
            comment.author.id if comment.author else None,
            command,
            told.get(type(outcome), AuditOutcome.ANSWERED),
            sha=sha if isinstance(outcome, Planned) else None,
        )
        for position, (command, outcome) in enumerate(batch.outcomes)
    )


def row(
    comment_id: int,
    position: int,
    actor_id: int | None,
    command: Command,
    outcome: AuditOutcome,
    *,
    sha: str | None = None,
) -> AuditRow:
    """A command's row. What people put in the place of a ref may be anything, a password too."""
    refs = redacted(" ".join(redacted(ref) for ref in command.refs))
    return AuditRow(
        comment_id=comment_id,
        position=position,
        actor_id=actor_id,
        verb=command.verb,
        refs=" ".join(ref[:_MAX_REF] for ref in refs.split(" ")),
        outcome=outcome,
        commit_sha=sha,
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
