"""memoryrail-bot sync: the active memories in the files that coding agents read."""

from pathlib import Path

import click

from bot.cli import project as projects
from bot.cli.project import Project
from bot.core.errors import UserError
from bot.core.report import BlockState
from bot.core.sync import MarkersError, place, standing
from bot.render.markdown import visible


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when something would be.")
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
@click.pass_context
def command(context: click.Context, check: bool, path: Path) -> None:
    """Write the active memories into AGENTS.md, CLAUDE.md and .cursor/rules/memoryrail.mdc.

    PATH is a directory of the project, by default this one. Only what stands between the two
    marker comments changes; a file without them gets them at its end. A block that another tool
    wrote is left to that tool. When one of the files cannot be written, none is.

    Exit code: 0 all in step, 1 something is not, 2 it cannot be done.
    """
    project = projects.find(path)
    for problem in project.store.problems:
        click.echo(visible(f"{problem.path}:{problem.line}: {problem.message}"), err=True)
    contents, foreign = _planned(project)
    if not check:
        projects.write(project.root, contents)
    for name in contents:
        click.echo(f"{name}: {'out of step' if check else 'written'}")
    for name in foreign:
        click.echo(
            f"{name}: out of step, but another tool wrote the block: run that tool's sync, "
            "or empty the block to hand it over"
        )
    if not contents and not foreign:
        click.echo("All in step.")
    context.exit(1 if foreign or (check and contents) else 0)


def _planned(project: Project) -> tuple[dict[str, bytes], list[str]]:
    """New contents by name, and the files whose block is another tool's and out of step."""
    contents: dict[str, bytes] = {}
    foreign: list[str] = []
    problems: list[str] = []
    memories = project.store.memories
    for name in project.format.AGENT_FILES:
        if _is_linked(project, name):
            continue
        try:
            data = projects.read(project.root, name)
            placed = place(data, memories, path=name)
        except MarkersError as error:
            problems.append(f"{name}:{error.line}: {error.problem}")
        except UserError as error:
            problems.append(str(error))
        else:
            stands = standing(data, memories)
            if stands.state is BlockState.OUT_OF_STEP and not stands.ours:
                foreign.append(name)
            elif placed != data:
                contents[name] = placed
    if problems:
        raise UserError("; ".join(problems))
    return contents, foreign


def _is_linked(project: Project, name: str) -> bool:
    """Whether a file is a symlink to another generated one, and so needs no block of its own."""
    path = project.root / name
    others = {project.root / other for other in project.format.AGENT_FILES if other != name}
    return path.is_symlink() and path.resolve() in others
