"""memoryrail-bot jumpybrain update: a document replaced as a whole."""

from pathlib import Path

import click

from bot.cli import given
from bot.cli.author import allow_secrets_option
from bot.cli.family import now
from bot.cli.jumpybrain import place
from bot.formats.jumpybrain.edit import Updated, update
from bot.formats.jumpybrain.layout import within
from bot.render.markdown import visible


@click.command()
@click.argument("named", metavar="ID")
@click.option(
    "--token",
    "--if-match",
    metavar="TOKEN",
    help="Of the content that was edited, as show prints it: sha256:…",
)
@click.option(
    "--file",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The new content.  [default: standard input]",
)
@click.option("--dry-run", is_flag=True, help="Write nothing; print the document.")
@allow_secrets_option
@place.root_option
def command(
    *,
    named: str,
    token: str | None,
    file: Path | None,
    dry_run: bool,
    allow_secrets: bool,
    root: Path | None,
) -> None:
    """Replace a document by new content, frontmatter and all, and print its file and its new token.

    What its writer set stays (id, type, created_at, source, confidence and others), updated_at is
    refreshed, the path never changes. When the document is not what TOKEN names, nothing is
    written.

    \b
    Example:
      memoryrail-bot jumpybrain update mem_550e8400-e29b-41d4-a716-446655440000 \\
        --token sha256:9f86d0… --file edited.md

    Exit code: 0 written, 1 refused, 2 wrong usage.
    """
    where = place.find(root)
    content = given.content(file)

    def planned_on(contents: dict[str, bytes]) -> Updated:
        return update(
            contents,
            place.id_named(named, where, contents),
            if_match=token,
            content=content,
            now=now(),
            allow_secrets=allow_secrets,
        )

    planned = planned_on(where.contents())  # what is refused needs no lock, nor has others wait
    if dry_run:
        click.echo(visible(planned.data.decode()), nl=False)
        return
    with where.locked():
        contents = where.contents()
        planned = planned_on(contents)
        where.write({planned.place: planned.data}, contents)
    click.echo(f"{within(where.folder, planned.place)}  {planned.content_hash}")
