"""memoryrail-bot jumpybrain remember: a new document."""

from functools import partial
from pathlib import Path

import click

from bot.cli import given
from bot.cli.author import agent_variable
from bot.cli.family import now
from bot.cli.jumpybrain import place
from bot.formats.jumpybrain.layout import BUCKET_OF
from bot.formats.jumpybrain.writing import remember


@click.command()
@click.option("--type", "type_", required=True, metavar="|".join(BUCKET_OF))
@place.body_options
def command(
    *,
    type_: str,
    title: str,
    tags: tuple[str, ...],
    session_id: str,
    body: str | None,
    body_file: Path | None,
    dry_run: bool,
    allow_secrets: bool,
    root: Path | None,
) -> None:
    """Write a new document, and print its id and its file.

    It counts as reviewed; where a coding agent runs this, it waits for a person's review.

    \b
    Example:
      memoryrail-bot jumpybrain remember --type decision --title "One consumer per partition" \\
        --tag queue --body-file why.md

    Exit code: 0 written, 1 refused, 2 wrong usage.
    """
    where = place.find(root)
    text = given.text(body, body_file)
    plan = partial(
        remember, type_=type_, title=title, body=text, tags=tags, session_id=session_id,
        now=now(), new_id=place.new_id(),
        by_agent=agent_variable() is not None, allow_secrets=allow_secrets,
    )  # fmt: skip
    where.write_new(type_, plan, dry_run=dry_run)
