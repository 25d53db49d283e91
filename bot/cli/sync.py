"""memoryrail-bot sync: the active memories in the files that coding agents read."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from bot.cli import project as projects
from bot.cli.project import Project
from bot.core.errors import UserError
from bot.core.model import Severity
from bot.core.report import BlockState
from bot.core.sync import Standing, place, standing
from bot.render.markdown import visible


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when a block is not right.")
@click.option("--all", "every", is_flag=True, help="All three files, also those not there yet.")
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
@click.pass_context
def command(context: click.Context, check: bool, every: bool, path: Path) -> None:
    """Write the active memories into AGENTS.md, CLAUDE.md and .cursor/rules/memoryrail.mdc.

    PATH is a directory of the project, by default this one. Those of the three files that are there
    are written; where none is, AGENTS.md is made. Only what stands between the two marker comments
    changes; a file without them gets them at its end. A block that another tool wrote is left to
    that tool. When one of the files cannot be written, none is.

    Exit code: 0 all in step, 1 something is not or a memory cannot be read, 2 it cannot be done.
    """
    project = projects.find(path)
    faulty = _say_problems(project)
    if any(problem.rule == "unsupported-version" for problem in project.store.problems):
        context.exit(1)  # without its memories, a block would say that there are none
    files, problems = _read(project, every=every)
    if not check:
        problems += [_verdict(file) for file in files if file.stands.state is BlockState.DAMAGED]
    if problems:
        raise UserError("\n".join(problems))
    changed = [file for file in files if file.placed is None or file.placed != file.data]
    if not check:
        ours = {file.name: file.placed for file in changed if file.placed is not None}
        projects.write(project.root, ours)
    for file in changed:
        written = not check and file.placed is not None
        click.echo(f"{file.name}: written" if written else _verdict(file))
    if not changed and not faulty:
        click.echo("All in step.")
    wrong = _fails(files, changed, every=every) if check else any(f.is_foreign for f in files)
    context.exit(1 if wrong or faulty else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _AgentFile:
    """A file that shows the memories, or is to."""

    name: str
    data: bytes | None = field(repr=False)  # None: there is no such file yet
    stands: Standing
    placed: bytes | None = field(
        default=None, repr=False
    )  # its bytes in step; None: it is not ours to change

    @property
    def is_foreign(self) -> bool:
        """Whether another tool has to bring it into step."""
        return self.stands.state is BlockState.OUT_OF_STEP and not self.stands.ours


def _say_problems(project: Project) -> bool:
    """Name what is wrong in the store's own files; whether any of it is an error."""
    for problem in project.store.problems:
        weight = "" if problem.severity is Severity.ERROR else f"{problem.severity}: "
        click.echo(visible(f"{problem.path}:{problem.line}: {weight}{problem.message}"), err=True)
    return any(problem.severity is Severity.ERROR for problem in project.store.problems)


def _read(project: Project, *, every: bool) -> tuple[list[_AgentFile], list[str]]:
    """The files to bring into step, and why others cannot be read."""
    names = [name for name in project.format.AGENT_FILES if not _is_linked(project, name)]
    there = [name for name in names if os.path.lexists(project.root / name)]
    files: list[_AgentFile] = []
    problems: list[str] = []
    for name in names if every else there or names[:1]:
        try:
            data = projects.read(project.root, name)
        except UserError as error:
            problems.append(str(error))
        else:
            files.append(_judged(name, data, project))
    return files, problems


def _judged(name: str, data: bytes | None, project: Project) -> _AgentFile:
    memories = project.store.memories
    stands = standing(data, memories)
    file = _AgentFile(name=name, data=data, stands=stands)
    if stands.state is BlockState.DAMAGED or file.is_foreign:
        return file
    return replace(file, placed=place(data, memories, path=name))


def _fails(files: Sequence[_AgentFile], changed: Sequence[_AgentFile], *, every: bool) -> bool:
    """Whether --check fails. A file without a block is no fault while another one has a block."""
    without = [file for file in files if file.stands.state is BlockState.ABSENT]
    strict = every or len(without) == len(files)
    return any(strict or file not in without for file in changed)


def _verdict(file: _AgentFile) -> str:
    if file.stands.rule == "bad-encoding":
        return f"{file.name}:{file.stands.line}: holds a NUL byte, so it is no text"
    if file.stands.state is BlockState.DAMAGED:
        return f"{file.name}:{file.stands.line}: {file.stands.problem}"
    if file.stands.state is BlockState.ABSENT:
        return f"{file.name}: {'missing' if file.data is None else 'has no block'}"
    if file.is_foreign:
        return (
            f"{file.name}: out of step, but another tool wrote the block: run that tool's sync, "
            "or empty the block to hand it over"
        )
    return f"{file.name}: out of step"


def _is_linked(project: Project, name: str) -> bool:
    """Whether a file is a symlink to another generated one, and so needs no block of its own."""
    path = project.root / name
    target = Path(os.path.realpath(path))  # unlike Path.resolve, it survives links in a circle
    others = {project.root / other for other in project.format.AGENT_FILES if other != name}
    return path.is_symlink() and target in others and not target.is_symlink()
