"""memoryrail-bot jumpybrain show: a document as it stands, and its token."""

import json
from pathlib import Path

import click

from bot.cli.family import say_error
from bot.cli.jumpybrain import place
from bot.core.refs import UnknownRef
from bot.formats.jumpybrain.edit import Shown, show
from bot.formats.jumpybrain.layout import within
from bot.formats.jumpybrain.refused import Refused
from bot.render.markdown import visible


@click.command()
@click.argument("named", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--raw", is_flag=True, help="The exact bytes; the token goes to standard error.")
@place.root_option
@click.pass_context
def command(
    context: click.Context, *, named: str, as_json: bool, raw: bool, root: Path | None
) -> None:
    """Show a document with its file and its token.

    ID is an id, a short ref (DEC-a3f9) or a file. The token names the exact bytes: an update brings
    it, and is refused when they are others by then.

    \b
    Example:
      memoryrail-bot jumpybrain show --raw mem_550e8400-e29b-41d4-a716-446655440000 > edited.md

    Exit code: 0 shown, 1 there is none of this id, or no root, 2 it cannot be done.
    """
    if as_json and raw:
        raise click.UsageError("--json and --raw exclude each other.")
    where = place.find(root)
    contents = where.contents()
    try:
        shown = show(contents, place.id_named(named, where, contents))
    except UnknownRef as error:
        say_error(str(error))
        context.exit(1)
    except Refused as error:
        if error.rule != "missing_id":
            raise
        say_error(f"{error} ({error.rule})")
        context.exit(1)
    path = within(where.folder, shown.document.place)
    if shown.document.is_damaged and not raw:
        say_error("Note: some bytes are not UTF-8 and stand here as \ufffd. --raw prints them.")
    if as_json:
        click.echo(json.dumps(_document(shown, path), indent=2))
    elif raw:
        click.echo(shown.content_hash, err=True)
        click.echo(shown.data, nl=False)
    else:
        click.echo(visible(f"# {path}  {shown.content_hash}\n\n{shown.document.text}"), nl=False)


def _document(shown: Shown, path: str) -> dict[str, object]:
    document = shown.document
    return {
        "id": document.id,
        "file": path,
        "type": document.type,
        "title": document.title,
        "contentHash": shown.content_hash,
        "content": document.text,
    }
