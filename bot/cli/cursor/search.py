"""memoryrail-bot cursor search: entries by their words and fields."""

import json
from pathlib import Path

import click

from bot.cli.cursor import dates, place
from bot.cli.family import say_error
from bot.formats.cursor import query
from bot.formats.cursor.append import file_name
from bot.formats.cursor.query import Hit, Query
from bot.formats.cursor.validate import KINDS, STATUSES
from bot.render.memories import one_line


@click.command()
@click.option("--query", "words", default="", metavar="TEXT", help="In the summary or the text.")
@click.option("--file", default="", metavar="FILE", help="session-handoff, decisions, …")
@click.option("--tag", default="", metavar="TAG")
@click.option("--kind", default="", type=click.Choice(["", *KINDS]), metavar=f"[{'|'.join(KINDS)}]")
@click.option(
    "--status", default="", type=click.Choice(["", *STATUSES]), metavar=f"[{'|'.join(STATUSES)}]"
)
@click.option("--author", default="", metavar="TEXT", help="Part of the author or their detail.")
@click.option(
    "--since",
    default="",
    metavar="DATE",
    callback=dates.checked,
    help="From this day on, or moment.",
)
@click.option(
    "--until", default="", metavar="DATE", callback=dates.checked, help="Up to this day, or moment."
)
@click.option("--limit", type=click.IntRange(1), help="At most so many.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@place.path_option
@click.pass_context
def command(
    context: click.Context,
    *,
    words: str,
    file: str,
    tag: str,
    kind: str,
    status: str,
    author: str,
    since: str,
    until: str,
    limit: int | None,
    as_json: bool,
    path: Path | None,
) -> None:
    """Find entries: those with the words in their summary first, the newest first among equals.

    Exit code: 0 found, 1 nothing found, 2 it cannot be done.
    """
    asked = Query(
        words=words,
        file=file_name(file) if file else "",
        tag=tag,
        kind=kind,
        status=status,
        author=author,
        since=since,
        until=until,
    )
    hits = query.search(place.find(path).files(), asked, limit=limit)
    if as_json:
        document = {"hits": [_document(hit) for hit in hits], "count": len(hits)}
        click.echo(json.dumps(document, indent=2))
    else:
        for hit in hits:
            click.echo("\t".join(map(one_line, _columns(hit))))
    if not hits:
        if not as_json:
            say_error("Nothing found.")
        context.exit(1)


def _columns(hit: Hit) -> tuple[str, ...]:
    text = hit.entry.text
    return (
        *(hit.entry.id, text("at"), hit.file.name),
        *(text("kind"), text("status"), text("summary")),
    )


def _document(hit: Hit) -> dict[str, object]:
    id_, at, file, kind, status, summary = _columns(hit)
    return {
        "id": id_,
        "at": at,
        "file": file,
        "kind": kind,
        "status": status,
        "summary": summary,
        "tags": list(hit.entry.items("tags")),
        "score": hit.score,
    }
