"""memoryrail-bot stale: the memories whose linked files changed or are gone."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import click

from bot.cli import project as projects
from bot.cli.moves import known_refs
from bot.cli.project import NoSuchStore
from bot.core.errors import GitError, UserError
from bot.core.model import Memory, MemoryStore, Severity, Status
from bot.core.refs import Refs
from bot.git.staleness import staleness
from bot.render.memories import one_line
from bot.render.stale_links import document, text

_LONG: Final = 2_000  # commits; reading fewer is done before anybody wonders


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs: a list of objects.")
@click.argument("refs", metavar="[REF]…", nargs=-1, shell_complete=known_refs)
@click.pass_context
def command(context: click.Context, as_json: bool, refs: Sequence[str]) -> None:
    """Find active memories whose linked files changed or are gone.

    A link is stale when nothing is there, and may be when its last commit is newer than the
    memory's `updated`. REF is a short ref (DEC-a3f9), an id or a file; without one all active
    memories of MemoryRail are looked at. Those of other formats have no links of their own.

    \b
    Examples:
      memoryrail-bot stale
      memoryrail-bot stale DEC-a3f9
      memoryrail-bot confirm DEC-a3f9            looked at, and still true

    Exit code: 0 clean, 1 something is stale or a memory cannot be read, 2 it cannot be told.
    """
    try:
        project = projects.own(Path())
    except NoSuchStore as error:
        if refs:
            raise
        click.echo("[]" if as_json else f"Nothing to compare: {error}")
        return
    memories = _chosen(project.store, refs)
    faulty = _say_errors(project.store)
    found = staleness(project.root, memories, progress=_progress())
    if as_json:
        click.echo(json.dumps(document(found.stale), indent=2, ensure_ascii=False))
    elif found.stale or found.unknown is None:
        links = sum(len(set(memory.links)) for memory in memories)
        click.echo(text(found.stale, compared=links), nl=False)
    if found.unknown:
        raise GitError(found.unknown)
    context.exit(1 if found.stale or faulty else 0)


def _chosen(store: MemoryStore, names: Sequence[str]) -> tuple[Memory, ...]:
    if not names:
        return store.active
    refs = Refs(store.memories)
    chosen = tuple({memory.place: memory for memory in map(refs.resolve, names)}.values())
    for memory in chosen:
        if memory.status is not Status.ACTIVE:
            raise UserError(f"{memory.ref} is {memory.status}; only active memories go stale")
    return chosen


def _say_errors(store: MemoryStore) -> bool:
    """Name what is wrong in the memory files; whether anything is. Links are judged elsewhere."""
    errors = [
        problem
        for problem in store.problems
        if problem.severity is Severity.ERROR and problem.rule != "link-outside-repo"
    ]
    for problem in errors:
        where = f"{one_line(problem.path)}:{problem.line}"
        click.echo(f"{where}: {one_line(problem.message)} ({problem.rule})", err=True)
    return bool(errors)


def _progress() -> Callable[[int, int], None] | None:
    """Shows on a terminal how far a long walk through history is."""
    if not sys.stderr.isatty():
        return None

    def show(commits: int, links: int) -> None:
        if commits >= _LONG:
            said = f"{commits:,} commits read, {links:,} paths to go" if links else ""
            click.echo(f"\r{said:<60}\r", nl=False, err=True)

    return show
