"""memoryrail-bot sync: the active memories in the files that coding agents read."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import click

from bot.cli import project as projects
from bot.cli import writing
from bot.cli.project import NoSuchStore, Project
from bot.core.errors import UserError
from bot.core.model import Severity
from bot.core.report import BlockState
from bot.core.sync import Standing, place, points_to_agents, standing
from bot.formats import memoryrail
from bot.formats.discovery import is_inside_a_store
from bot.render.memories import one_line

MAX_READ_BYTES: Final = (
    32 * 1024
)  # of AGENTS.md; https://developers.openai.com/codex/guides/agents-md

# Faults that may hide an active memory from the block.
_UNREAD: Final = frozenset({"unread", "bad-layout", "unsupported-version"})


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when a block is not right.")
@click.option("--all", "every", is_flag=True, help="All three files, also those not there yet.")
@click.option(
    "--also",
    metavar="PATH",
    multiple=True,
    help="One more instruction file, such as .github/copilot-instructions.md. May be repeated.",
)
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
@click.pass_context
def command(
    context: click.Context, check: bool, every: bool, also: tuple[str, ...], path: Path
) -> None:
    """Write the active memories into AGENTS.md, CLAUDE.md and .cursor/rules/memoryrail.mdc.

    PATH is a directory of the project, by default this one. The first time, all three files are
    made; later, those that are there are kept in step. A CLAUDE.md that is a symlink to AGENTS.md,
    or only points to it, needs no block. Only what stands between the two marker comments changes;
    a file without them gets them at its end. A block that another tool wrote stays while it is in
    step, and is replaced when it is not. When one of the files cannot be written, none is.

    \b
    Examples:
      memoryrail-bot sync
      memoryrail-bot sync --check
      memoryrail-bot sync --also .github/copilot-instructions.md

    Exit code: 0 all in step, 1 something is not or a memory cannot be read, 2 it cannot be done.
    """
    try:
        project = projects.own(path)
    except NoSuchStore as error:
        _must_hold_no_block(error)
        click.echo(f"Nothing to write: {error}")
        return
    faulty = _say_problems(project)
    if not _UNREAD.isdisjoint(problem.rule for problem in project.store.problems):
        click.echo("Nothing was compared or written: a block would leave out memories.", err=True)
        context.exit(1)
    files, problems = agent_files(project, also, every=every)
    if not check:
        problems += [verdict(file) for file in files if file.stands.state is BlockState.DAMAGED]
    if problems:
        raise UserError("\n".join(problems))
    changed = [file for file in files if file.is_wrong or (not check and file.placed != file.data)]
    if not check:
        ours = {file.name: file.placed for file in changed if file.placed is not None}
        writing.write(project.root, ours)
    for file in changed:
        written = not check and file.placed is not None
        click.echo(one_line(f"{file.name}: {_written(file)}" if written else verdict(file)))
    if not changed:
        click.echo("All in step.")
    if warning := size_warning(files):
        click.echo(f"Warning: {warning}", err=True)
    wrong = check and _fails(files, changed, every=every)
    context.exit(1 if wrong or faulty else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFile:
    """A file that shows the memories, or is to."""

    name: str
    data: bytes | None = field(repr=False)  # None: there is no such file yet
    stands: Standing
    is_named: bool = False  # the caller asked for it
    placed: bytes | None = field(default=None, repr=False)  # in step; None: it is damaged

    @property
    def is_wrong(self) -> bool:
        """Whether it has no block, or one that is not in step."""
        return self.stands.state is not BlockState.IN_STEP


def _must_hold_no_block(error: NoSuchStore) -> None:
    """Raise it where a generated file has a block: the memories that it shows are gone."""
    root = error.there.root
    for name in memoryrail.AGENT_FILES:
        if standing(writing.read(root, name), ()).state is not BlockState.ABSENT:
            raise UserError(f"{name} has a block of memories that are not there. {error}")


def _say_problems(project: Project) -> bool:
    """Name what is wrong in the store's own files; whether any of it is an error."""
    for problem in project.store.problems:
        weight = "" if problem.severity is Severity.ERROR else f"{problem.severity}: "
        click.echo(one_line(f"{problem.path}:{problem.line}: {weight}{problem.message}"), err=True)
    return any(problem.severity is Severity.ERROR for problem in project.store.problems)


def agent_files(
    project: Project, also: Sequence[str], *, every: bool
) -> tuple[list[AgentFile], list[str]]:
    """The files to bring into step, and why others cannot be read."""
    usual = project.format.AGENT_FILES
    names = dict.fromkeys((*usual, *(_name_of(project, path) for path in also)))
    files: list[AgentFile] = []
    problems: list[str] = []
    for name in names:
        if _is_linked(project, name, names):
            continue
        try:
            data = writing.read(project.root, name)
        except UserError as error:
            problems.append(str(error))
        else:
            files.append(replace(_judged(name, data, project), is_named=name not in usual))
    is_first = all(file.stands.state is BlockState.ABSENT for file in files)
    return [
        file
        for file in files
        if every or is_first or file.data is not None or file.name not in usual
        if file.stands.state is not BlockState.ABSENT
        or file.name == "AGENTS.md"
        or not points_to_agents(file.data or b"")
    ], problems


def _name_of(project: Project, path: str) -> str:
    """A further file as a path from the project's root. Raises UserError where none may stand."""
    name = projects.located(project.top, path)
    if name == "." or ".git" in name.casefold().split("/") or is_inside_a_store(name):
        raise UserError(f"{path} cannot hold a generated block: name an instruction file")
    return os.path.relpath(project.top / name, project.root).replace(os.sep, "/")


def _judged(name: str, data: bytes | None, project: Project) -> AgentFile:
    memories = project.store.memories
    stands = standing(data, memories)
    file = AgentFile(name=name, data=data, stands=stands)
    if stands.state is BlockState.DAMAGED:
        return file
    return replace(file, placed=place(data, memories, path=name))


def _fails(files: Sequence[AgentFile], changed: Sequence[AgentFile], *, every: bool) -> bool:
    """Whether --check fails. A file without a block is no fault while another one has a block."""
    without = [file for file in files if file.stands.state is BlockState.ABSENT]
    strict = every or len(without) == len(files)
    return any(strict or file.is_named or file not in without for file in changed)


def verdict(file: AgentFile) -> str:
    """What is not right with a file, behind its name."""
    if file.stands.rule == "bad-encoding":
        return f"{file.name}:{file.stands.line}: holds a NUL byte, so it is no text"
    if file.stands.state is BlockState.DAMAGED:
        return f"{file.name}:{file.stands.line}: {file.stands.problem}"
    if file.stands.state is BlockState.ABSENT:
        return f"{file.name}: {'missing' if file.data is None else 'has no block'}"
    return f"{file.name}: out of step"


def _written(file: AgentFile) -> str:
    is_foreign = file.stands.state is BlockState.OUT_OF_STEP and not file.stands.ours
    return "written, in place of another tool's block" if is_foreign else "written"


def _is_linked(project: Project, name: str, names: Collection[str]) -> bool:
    """Whether a file is a symlink to another generated one, and so needs no block of its own."""
    path = project.root / name
    target = Path(os.path.realpath(path))  # unlike Path.resolve, it survives links in a circle
    others = {Path(os.path.normpath(project.root / one)) for one in names if one != name}
    return path.is_symlink() and target in others and not target.is_symlink()


def size_warning(files: Sequence[AgentFile]) -> str | None:
    """What to say of an AGENTS.md that is read in part only; None where it is short enough."""
    for file in files:
        size = len(file.placed or file.data or b"")
        if file.name == "AGENTS.md" and size > MAX_READ_BYTES:
            return (
                f"AGENTS.md has {size:,} bytes, and Codex stops reading at {MAX_READ_BYTES:,}. "
                "Archive memories that no longer matter."
            )
    return None
