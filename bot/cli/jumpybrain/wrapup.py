"""memoryrail-bot jumpybrain wrapup: what came of a session."""

from functools import partial
from pathlib import Path

import click

from bot.cli import given
from bot.cli.family import now
from bot.cli.jumpybrain import place
from bot.formats.jumpybrain.writing import wrapup


@click.command()
@click.option("--topic", default="", metavar="TEXT", help="What was recalled for the session.")
@place.body_options
def command(
    *,
    topic: str,
    title: str,
    tags: tuple[str, ...],
    session_id: str,
    body: str | None,
    body_file: Path | None,
    dry_run: bool,
    allow_secrets: bool,
    root: Path | None,
) -> None:
    """Write what came of a session, and print its id and its file. It waits for a person's review.

    The text has four sections, each with something in it: ## Findings, ## Decisions,
    ## Conflicts / Corrections and ## Open Questions. Where there is nothing to say, write
    "- None captured."

    \b
    Example:
      memoryrail-bot jumpybrain wrapup --title "Queue work" --topic queue --body-file session.md

    Exit code: 0 written, 1 refused, 2 wrong usage.
    """
    where = place.find(root)
    text = given.text(body, body_file)
    plan = partial(
        wrapup, title=title, body=text, topic=topic, tags=tags, session_id=session_id,
        now=now(), new_id=place.new_id(), allow_secrets=allow_secrets,
    )  # fmt: skip
    where.write_new("session", plan, dry_run=dry_run)
