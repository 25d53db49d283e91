"""memoryrail-bot cursor validate: every rule of the format."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from bot.cli.cursor import place
from bot.cli.cursor.place import Place
from bot.cli.family import tell
from bot.core.model import Problem, Severity
from bot.formats.cursor.append import Refused, file_name
from bot.formats.cursor.layout import kind_of
from bot.formats.cursor.validate import File, mismatches, problems_of, read_file, secrets_of
from bot.render import phrases


@click.command()
@click.option(
    "--file", "names", multiple=True, metavar="FILE", help="Only this one.  May be repeated."
)
@click.option(
    "--base",
    metavar="COMMIT",
    help="Entries that this commit lacks must be of the task at work.",
)
@click.option("--allow-manual", is_flag=True, help="With --base: but for those that people wrote.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--quiet", is_flag=True, help="Print nothing where nothing is wrong.")
@place.path_option
@click.pass_context
def command(
    context: click.Context,
    *,
    names: tuple[str, ...],
    base: str | None,
    allow_manual: bool,
    strict: bool,
    quiet: bool,
    path: Path | None,
) -> None:
    """Check the entries of all files. What is wrong is printed on standard error, with its line.

    Exit code: 0 clean, 1 errors (with --strict warnings too), 2 it cannot be done.
    """
    where = place.find(path, is_there=True)
    before = None
    if base is not None:
        from bot.cli.cursor.commits import files_at, repository_of

        repository = repository_of(where)
        before = files_at(repository, repository.commit(base), where)
    problems, count = validate(where, names, before=before, allow_manual=allow_manual)
    if strict:
        problems = tuple(
            replace(one, severity=Severity.ERROR) if one.severity is Severity.WARNING else one
            for one in problems
        )
    tell(problems)
    errors = sum(one.severity is Severity.ERROR for one in problems)
    if not quiet or errors:
        said = phrases.count(errors, "error") if errors else "no error"
        click.echo(f"{phrases.count(count, 'entry', 'entries')}, {said}.", err=bool(errors))
    if errors:
        context.exit(1)


def validate(
    where: Place,
    names: Sequence[str],
    *,
    before: Mapping[str, bytes] | None,
    allow_manual: bool,
) -> tuple[tuple[Problem, ...], int]:
    """What is wrong in some files, or in all where none is named; and how many entries they have.

    before: the files as they were, by name; what is new since must be of the task at work. None:
    nothing is held to that.
    """
    problems: list[Problem] = []
    files: list[File] = []
    for name in map(file_name, names):
        if kind_of(name) is None:
            message = f"{name} is no file of entries by its name: its kind is not checked."
            problems.append(_of_file(name, "unrecognized-file", message, Severity.WARNING))
        try:
            files.append(read_file(name, where.read(name)))
        except Refused as problem:
            problems.append(_of_file(name, problem.rule, str(problem)))
    files += [] if names else where.files()
    problems += [*problems_of(files), *secrets_of(files)]
    if before is not None:
        old = [read_file(name, data) for name, data in before.items()]
        known = {entry.id for file in old for entry in file.blocks.entries}
        problems += mismatches(files, known, where.active_id(), allow_manual=allow_manual)
    return tuple(sorted(problems)), sum(len(file.blocks.entries) for file in files)


def _of_file(name: str, rule: str, message: str, severity: Severity = Severity.ERROR) -> Problem:
    return Problem(path=name, rule=rule, message=message, severity=severity)
