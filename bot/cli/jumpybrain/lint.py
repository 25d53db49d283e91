"""memoryrail-bot jumpybrain lint: every rule of the format, and advice."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from bot.cli.family import tell
from bot.cli.jumpybrain import place
from bot.cli.jumpybrain.place import Place
from bot.core.model import Problem, Severity
from bot.formats.jumpybrain.document import Document, readable
from bot.formats.jumpybrain.layout import within
from bot.formats.jumpybrain.lint import findings
from bot.formats.jumpybrain.validate import problems_of, secrets_of
from bot.render import phrases


@click.command()
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--quiet", is_flag=True, help="Print nothing where nothing is wrong.")
@place.root_option
@click.pass_context
def command(context: click.Context, *, strict: bool, quiet: bool, root: Path | None) -> None:
    """Check jumpybrain.json and all documents. What is wrong is printed on standard error.

    What documents only say together is a notice: equal titles, pages that are older than their
    sources, conflicts, questions that a decision seems to answer.

    Exit code: 0 clean, 1 errors (with --strict warnings too) or no root, 2 it cannot be done.
    """
    where = place.find(root)
    said = where.root()
    there = where.documents() if said.is_compatible else ()
    files = [replace(file, path=within(where.folder, file.path)) for file in there]
    documents, unread = readable(files, where.folder)
    problems = [*said.problems, *unread, *problems_of(documents), *secrets_of(documents)]
    problems += _advice(documents, where)
    tell(sorted(problems))
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    errors = sum(one.severity in failing for one in problems)
    if errors or not quiet:
        found = phrases.count(errors, "error") if errors else "no error"
        click.echo(f"{phrases.count(len(files), 'document')}, {found}.", err=bool(errors))
    if errors:
        context.exit(1)


def _advice(documents: Sequence[Document], where: Place) -> Iterator[Problem]:
    for one in findings(documents):
        yield Problem(
            path=within(where.folder, one.files[0]),
            rule=one.kind,
            message=one.message,
            severity=Severity.NOTICE,
        )
