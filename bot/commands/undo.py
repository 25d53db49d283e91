"""`undo`: what the last commit of commands on this pull request changed is as it was before."""

from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Outcome, Planned
from bot.core.edit_plan import Deed, EditPlan, FileEdit
from bot.core.errors import UserError
from bot.render.phrases import listed

_MAX_PATHS = 5


class ChangedSince(UserError):  # noqa: N818 - reads as what it is
    """Files are not as the commit left them, so it cannot be taken back; paths are these."""

    def __init__(self, sha: str, paths: tuple[str, ...]) -> None:
        shown = [*paths[:_MAX_PATHS]]
        shown += [f"{len(paths) - _MAX_PATHS} more"] if paths[_MAX_PATHS:] else []
        verb = "is" if len(paths) == 1 else "are"
        super().__init__(
            f"{listed(shown)} {verb} no longer as commit {sha[:7]} left it. Undo on the branch "
            "what is still to be undone."
        )
        self.paths = paths


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, UserError."""
    if command.words:
        raise WrongArguments("This takes no argument.")
    last = context.last
    if last is None:
        raise UserError("There is nothing to undo: no commit of mine is left here.")
    if last.is_merge:
        raise UserError(
            f"Commit {last.sha[:7]} merged the base branch, and a merge is not undone here. Revert "
            "it on the branch, if it has to go."
        )
    changed = [one.path for one in last.changes if one.now_oid != one.after_oid]
    if changed:
        raise ChangedSince(last.sha, tuple(changed))
    lost = [one.path for one in last.changes if one.before and one.before.data is None]
    if lost:
        raise UserError(f"{listed(lost)} cannot be read as it was before commit {last.sha[:7]}.")
    edits = tuple(
        FileEdit(
            path=one.path,
            data=one.before.data if one.before else None,
            expected_oid=one.now_oid,
        )
        for one in sorted(last.changes, key=lambda one: one.path)
    )
    deed = Deed(verb="undo", name=last.subject.removeprefix("memoryrail: "))
    return Planned(plan=EditPlan(edits=edits, deeds=(deed,), reverts=last.sha))
