"""memoryrail-bot cursor append: a new entry at the end of a file."""

from pathlib import Path

import click

from bot.cli import given
from bot.cli.author import allow_secrets_option
from bot.cli.cursor import place
from bot.cli.family import now
from bot.formats.cursor.append import Appended, Draft, append
from bot.formats.cursor.validate import AUTHORS, KINDS, STATUSES


def _listed(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


@click.command()
@click.option("--file", required=True, metavar="FILE", help="session-handoff, decisions, …")
@click.option("--kind", required=True, type=click.Choice(KINDS))
@click.option("--status", required=True, type=click.Choice(STATUSES))
@click.option("--summary", required=True, metavar="TEXT", help="One line, 160 characters at most.")
@click.option("--body", metavar="TEXT", help="The text.  [default: standard input]")
@click.option(
    "--body-file", metavar="FILE", type=click.Path(path_type=Path), help="Read the text from FILE."
)
@click.option("--author", type=click.Choice(AUTHORS), default="orchestrator", show_default=True)
@click.option("--tags", default="", metavar="A,B", callback=_listed)
@click.option("--links", default="", metavar="ID,ID", callback=_listed, help="Entries it is about.")
@click.option("--scope", default="", metavar="TEXT", help="Module that it is about.")
@click.option("--author-detail", default="", metavar="TEXT", help="Which agent, or who.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print the entry.")
@allow_secrets_option
@click.option("--allow-duplicate", is_flag=True, help="Also what the file says already.")
@place.path_option
def command(
    *,
    file: str,
    kind: str,
    status: str,
    summary: str,
    body: str | None,
    body_file: Path | None,
    author: str,
    tags: tuple[str, ...],
    links: tuple[str, ...],
    scope: str,
    author_detail: str,
    dry_run: bool,
    allow_secrets: bool,
    allow_duplicate: bool,
    path: Path | None,
) -> None:
    """Append an entry, and print its id. Its correlation id is that of the task at work.

    \b
    Example:
      memoryrail-bot cursor append --file session-handoff --kind state --status done \\
        --summary "Queue moved to the new broker" --tags broker --body-file handoff.md

    Exit code: 0 written, 1 the file breaks a rule or would, 2 wrong usage or refused.
    """
    where = place.find(path)
    draft = Draft(
        file=file,
        kind=kind,
        status=status,
        summary=summary,
        body=given.text(body, body_file),
        author=author,
        tags=tags,
        scope=scope,
        author_detail=author_detail,
        links=links,
    )

    def planned(task: str) -> Appended:
        return append(
            where.contents(),
            draft,
            correlation_id=task,
            now=now(),
            allow_secrets=allow_secrets,
            allow_duplicate=allow_duplicate,
        )

    if dry_run:
        click.echo(planned(where.active_id()).block, nl=False)
        return
    if not where.path.is_dir():  # what is refused of any task makes none
        planned("0-0")
        where.active_id()
    with where.locked(make=True):  # so moments and tasks come in the order of the entries
        done = planned(where.active_id())
        where.write({done.name: done.data})
    click.echo(done.id)
