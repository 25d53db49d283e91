"""What the commands on memories share: the project to read or write, refs in, one plan out."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from bot.cli import project as projects
from bot.cli import writing
from bot.cli.author import must_be_a_person
from bot.cli.locking import locked
from bot.cli.project import NoSuchStore, Project
from bot.commands.context import Context, OtherFormat
from bot.core.edit_plan import DONE, EditPlan
from bot.core.errors import BotError, UserError
from bot.core.model import DURABLE, Memory, Problem, Severity
from bot.core.refs import Refs, bare
from bot.formats import Format, jumpybrain, memoryrail
from bot.formats.jumpybrain.store import folder_of
from bot.formats.memoryrail.layout import memory_path
from bot.formats.memoryrail.store_tree import StoreTree
from bot.render import phrases
from bot.render.markdown import visible
from bot.render.patch import patch

# Faults that leave nothing of a store to be read.
_NOTHING_READ: Final = frozenset({"bad-layout", "unsupported-version"})

dry_run = click.option("--dry-run", is_flag=True, help="Write nothing; print the change as a diff.")


def known_refs(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Refs that begin so, with their titles, for a shell's completion."""
    try:
        memories = projects.find(Path()).memories
    except BotError:
        return []
    return [
        CompletionItem(memory.ref, help=visible(memory.title))
        for memory in memories
        if memory.ref.casefold().startswith(begun.casefold())
    ]


refs = click.argument("refs", metavar="REF…", nargs=-1, required=True, shell_complete=known_refs)


def to_read() -> Project:
    """The project of the working directory; what cannot be read of it is told on standard error.

    Raises UserError where nothing can be read.
    """
    project = projects.find(Path())
    problems = [problem for store in project.stores for problem in store.problems]
    errors = [one for one in problems if one.severity is Severity.ERROR]
    if any(one.rule in _NOTHING_READ for one in errors):
        raise UserError(_told(errors))
    memories = {memory.path for memory in project.memories}
    hidden = {one.path for one in errors} - memories
    hidden -= {store.config for store in project.stores if store.memories}
    if hidden:
        files = phrases.count(len(hidden), "memory file")
        click.echo(f"Note: {files} cannot be read: memoryrail-bot lint says why.", err=True)
    return project


def to_write(formats: Sequence[Format] = (memoryrail,)) -> Project:
    """The nearest project with stores of some formats, whose configuration is sound.

    Raises NoSuchStore, UserError.
    """
    project = projects.find(Path(), formats)
    faults = [
        one
        for one in project.store.problems
        if (one.path == project.store.config and one.rule != "bad-index-root")
        or one.rule in _NOTHING_READ
    ]
    if faults:
        raise UserError(_told(faults))
    return project


def resolved(project: Project, name: str) -> Memory:
    """The memory that a ref, an id or a file names. Raises UserError, also for one unreadable."""
    path = memory_path("", bare(name).rpartition("/")[2].removesuffix(".md"))
    faults = [one for one in project.store.problems if one.path == path]
    if faults and path not in {memory.path for memory in project.memories}:
        raise UserError(_told(faults))
    return Refs(project.memories).resolve(name)


def resolved_here(project: Project, name: str) -> Memory:
    """As resolved, of the store that is worked on. Raises OtherFormat for one of another."""
    memory = resolved(project, name)
    for store in project.others:
        if memory in store.memories:
            raise OtherFormat(memory, store)
    return memory


def only_people_decide(project: Project, memories: Iterable[Memory], to_do: str) -> None:
    """Raise UserError where the review gate is on and an agent would change what binds."""
    durable = [memory.ref for memory in memories if memory.type in DURABLE]
    if durable and project.store.gated:
        must_be_a_person(f"{to_do} {phrases.listed(durable)}")


def now() -> datetime:
    """The moment that memories are written with."""
    return datetime.now(UTC)


def move(
    named: Sequence[str],
    how: Callable[[StoreTree, Memory, datetime], EditPlan],
    *,
    to_do: str,
    only_show: bool,
    formats: Sequence[Format] = (memoryrail,),
) -> None:
    """Move every named memory on, all or none. Raises UserError with all that is wrong.

    to_do: the verb, for what only people do where the review gate is on. formats: of the stores
    whose memories how knows how to move.
    """
    try:
        project = to_write(formats)
    except NoSuchStore as error:
        project = error.there  # each memory is refused by its name below
    only_people_decide(project, [resolved(project, name) for name in named], to_do)
    context = Context(trees=project.trees, now=now())
    plan = context.plan_each(
        tuple(named),
        lambda at, tree, memory: how(tree, memory, at.now),
        formats=[format_.NAME for format_ in formats],
    )  # each on what the ones before it leave
    finish(project, plan, only_show=only_show)


def finish(project: Project, plan: EditPlan, *, only_show: bool, said: str = "") -> None:
    """Carry a plan out and say what was done, or show it.

    said: instead of naming each memory with what was done to it.
    """
    if only_show:
        _show(project, plan)
        return
    with ExitStack() as locks:
        for store in project.stores:
            if store.format == jumpybrain.NAME:  # its own verbs write under this lock
                locks.enter_context(locked(project.root / folder_of(store)))
        writing.carry_out(project, plan)
    done = [
        f"{DONE[action.verb]} {action.memory.ref}  {action.memory.title}" for action in plan.actions
    ]
    click.echo(visible(said or "\n".join(done)))
    for edit in plan.edits:
        click.echo(visible(f"  {'deleted' if edit.data is None else 'wrote'} {edit.path}"))
    for note in plan.notes:
        click.echo(visible(f"Note: {note.text}"), err=True)


def _told(problems: Iterable[Problem]) -> str:
    return "\n".join(visible(f"{one.path}:{one.line}: {one.message}") for one in problems)


def _show(project: Project, plan: EditPlan) -> None:
    before = {path: file.data for path, file in project.files.items() if file.data is not None}
    shown = patch(plan, before)
    click.echo(shown.text, nl=False)
    for edit in shown.withheld:
        click.echo(
            visible(f"Note: {edit.path} would change too; it holds what looks like a credential."),
            err=True,
        )
