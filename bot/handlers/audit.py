"""The rows that a comment's commands leave in the audit."""

from collections.abc import Sequence
from dataclasses import replace

from bot.commands.outcome import Planned, Refused
from bot.commands.run import Batch
from bot.github.conversation import CommandComment
from bot.store.commands import AuditOutcome, AuditRow


def rows_of(
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


def committed(rows: Sequence[AuditRow], sha: str) -> tuple[AuditRow, ...]:
    """The rows of a plan whose commit stands."""
    return tuple(
        replace(row, outcome=AuditOutcome.DONE, commit_sha=sha)
        if row.outcome is AuditOutcome.PLANNED
        else row
        for row in rows
    )
