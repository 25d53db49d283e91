"""memoryrail-bot jumpybrain status: whether a root can be read, and what it holds."""

import json
from pathlib import Path

import click

from bot.cli.family import tell
from bot.cli.jumpybrain import place
from bot.cli.jumpybrain.place import Place
from bot.core.model import Severity
from bot.formats.jumpybrain.document import readable
from bot.formats.jumpybrain.ids import is_id
from bot.formats.jumpybrain.layout import TYPE_OF, bucket_of
from bot.formats.jumpybrain.root import Root
from bot.render import phrases
from bot.render.markdown import visible


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@place.root_option
@click.pass_context
def command(context: click.Context, *, as_json: bool, root: Path | None) -> None:
    """Say where the root is, whether its schema is known here, and what it holds.

    Exit code: 0 it is told, also of a schema that is not known here; 1 jumpybrain.json cannot be
    read, or there is no root.
    """
    where = place.find(root)
    said = where.root()
    document = _document(where, said)
    if as_json:
        click.echo(json.dumps(document, indent=2))
    else:
        click.echo(_text(where, said, document))
    tell(said.problems)
    unknown = {"bad-schema-version", "schema-too-new", "bad-index-root"}
    if any(one.severity is Severity.ERROR and one.rule not in unknown for one in said.problems):
        context.exit(1)


def _document(where: Place, root: Root) -> dict[str, object]:
    document: dict[str, object] = {
        "root": str(where.path),
        "initialized": root.is_initialized,
        "compatible": root.is_compatible,
        "schemaVersion": root.schema_version,
    }
    if root.is_compatible:
        files = where.documents()
        documents, unread = readable(files)
        buckets = [bucket_of(file.path) for file in files]
        document |= {
            "documents": {bucket: buckets.count(bucket) for bucket in TYPE_OF},
            "withoutId": sum(not is_id(one.id) for one in documents),
            "waiting": sum(one.waits for one in documents),
            "unread": len(unread),
        }
    return document


def _text(where: Place, root: Root, document: dict[str, object]) -> str:
    version = visible(json.dumps(root.schema_version))
    said = f"schema {version}" if root.is_initialized else "no jumpybrain.json"
    lines = [f"{where.path}: {said}, {'compatible' if root.is_compatible else 'not compatible'}"]
    counts = document.get("documents")
    if isinstance(counts, dict):
        lines += [f"  {bucket:<12} {number:>5}" for bucket, number in counts.items()]
        total = phrases.count(sum(counts.values()), "document")
        lines.append(
            f"{total}; {document['withoutId']} without an id, {document['waiting']} waiting for "
            f"review, {document['unread']} that cannot be read."
        )
    return "\n".join(lines)
