"""memoryrail-bot lint: what is wrong in the memory files as they lie on disk."""

import json
from pathlib import Path

import click

from bot.cli import project as projects
from bot.cli.project import Project
from bot.core.model import Problem, Severity
from bot.core.precheck.telling import names_nothing
from bot.core.repository_settings import SETTINGS_PATH, parse
from bot.core.stored_secrets import stored_secrets
from bot.formats.memoryrail.unread import unread_problem
from bot.render import phrases
from bot.render.markdown import visible
from bot.render.memories import one_line


@click.command()
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(strict: bool, as_json: bool) -> None:
    """Find faults in the project's memory files, its configuration and .github/memoryrail.yml.

    Every rule of the format, supersessions that do not fit together, links that lead out of the
    project, and credentials; and memories that precheck can hardly find, which are notices. Broken
    and doubtful links are what stale is for.

    Exit code: 0 no errors, 1 errors (with --strict warnings too), 2 it cannot be done.
    """
    project = projects.find(Path())
    hard_to_find = filter(None, map(names_nothing, project.store.memories))
    problems = tuple(sorted((*lint(project), *hard_to_find)))
    if as_json:
        click.echo(json.dumps([_document(problem) for problem in problems], indent=2))
    else:
        for problem in problems:
            where = f"{one_line(problem.path)}:{problem.line}"
            click.echo(f"{where}: {problem.severity}: {one_line(problem.message)} ({problem.rule})")
        click.echo(_summary(project, problems))
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    if any(problem.severity in failing for problem in problems):
        raise click.exceptions.Exit(1)


def lint(project: Project) -> tuple[Problem, ...]:
    """All that is wrong in the files of a project, by path and line."""
    memories = [file for store in project.stores for file in store.files.values()]
    problems = [problem for store in project.stores for problem in store.problems]
    return tuple(sorted((*problems, *stored_secrets(memories), *_settings(project.top))))


def _settings(top: Path) -> tuple[Problem, ...]:
    """What is wrong in the settings of the repository; they stand at its top."""
    file = projects.file(top, SETTINGS_PATH)
    if file is None:
        return ()
    if (unread := unread_problem(file)) is not None:
        return (unread,)
    return parse(file.data)[1]


def _document(problem: Problem) -> dict[str, object]:
    return {
        "kind": visible(problem.rule),
        "severity": problem.severity.value,
        "path": visible(problem.path),
        "line": problem.line,
        "message": visible(problem.message),
    }


def _summary(project: Project, problems: tuple[Problem, ...]) -> str:
    files = phrases.count(sum(len(store.files) for store in project.stores), "memory file")
    if not problems:
        return f"{files}, nothing wrong."
    counts = [
        phrases.count(number, severity.value)
        for severity in Severity
        if (number := sum(problem.severity is severity for problem in problems))
    ]
    return f"{files}: {phrases.listed(counts)}."
