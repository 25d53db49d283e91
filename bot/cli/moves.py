"""What the commands that change memories share: refs in, one plan out, written or only shown."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from bot.cli import project as projects
from bot.cli.project import Project
from bot.commands.context import Context
from bot.core.edit_plan import EditPlan
from bot.core.errors import UserError
from bot.core.model import Memory
from bot.formats.memoryrail.lifecycle import StoreTree
from bot.render.markdown import visible
from bot.render.patch import patch

_DONE: Final[Mapping[str, str]] = {
    "add": "added",
    "approve": "approved",
    "archive": "archived",
    "confirm": "confirmed",
    "reject": "rejected",
    "resolve": "resolved",
    "supersede": "superseded",
}

dry_run = click.option("--dry-run", is_flag=True, help="Write nothing; print the change as a diff.")
refs = click.argument("refs", metavar="REF…", nargs=-1, required=True)


def opened() -> Project:
    """The project of the working directory, whose configuration is sound. Raises UserError."""
    project = projects.find(Path())
    faults = [one for one in project.store.problems if one.path == project.store.config]
    if faults:
        raise UserError("\n".join(f"{one.path}:{one.line}: {one.message}" for one in faults))
    return project


def now() -> datetime:
    """The moment that memories are written with."""
    return datetime.now(UTC)


def move(
    named: Sequence[str],
    how: Callable[[StoreTree, Memory, datetime], EditPlan],
    *,
    only_show: bool,
) -> None:
    """Move every named memory on, all or none. Raises UserError with all that is wrong."""
    project = opened()
    context = Context(trees=(project.tree,), now=now())
    plan = context.plan_each(
        tuple(named), lambda at, tree, memory: how(tree, memory, at.now)
    )  # each on what the ones before it leave
    finish(project, plan, only_show=only_show)


def finish(project: Project, plan: EditPlan, *, only_show: bool) -> None:
    """Carry a plan out and say what was done, or show it."""
    if only_show:
        _show(project, plan)
        return
    projects.carry_out(project, plan)
    for action in plan.actions:
        memory = action.memory
        click.echo(visible(f"{_DONE[action.verb]} {memory.ref}  {memory.title}"))
    for edit in plan.edits:
        click.echo(visible(f"  {'deleted' if edit.data is None else 'wrote'} {edit.path}"))
    for note in plan.notes:
        click.echo(visible(f"Note: {note.text}"), err=True)


def _show(project: Project, plan: EditPlan) -> None:
    files = project.tree.files
    before = {path: file.data for path, file in files.items() if file.data is not None}
    shown = patch(plan, before)
    click.echo(shown.text, nl=False)
    for edit in shown.withheld:
        click.echo(
            visible(f"Note: {edit.path} would change too; it holds what looks like a credential."),
            err=True,
        )
