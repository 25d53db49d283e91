"""memoryrail-bot jumpybrain process: upkeep, and nothing written without --apply."""

from collections.abc import Iterator
from pathlib import Path

import click

from bot.cli import writing
from bot.cli.family import now, say_error
from bot.cli.jumpybrain import place
from bot.cli.jumpybrain.place import Place
from bot.formats.jumpybrain.layout import bucket_of, within
from bot.formats.jumpybrain.pages import MAX_SOURCES
from bot.formats.jumpybrain.process import MODES, Processed, process
from bot.render import phrases
from bot.render.memories import one_line


@click.command()
@click.option("--mode", required=True, type=click.Choice(MODES))
@click.option("--apply", is_flag=True, help="Write what changes.")
@click.option("--topic", default="", metavar="WORDS", help="Of the page, or of the report.")
@click.option("--since", default="", metavar="WHEN", help="Newer sources only: a date, 14d, 2w.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=MAX_SOURCES,
    show_default=True,
    help="At most so many sources.",
)
@place.root_option
@click.pass_context
def command(
    context: click.Context,
    *,
    mode: str,
    apply: bool,
    topic: str,
    since: str,
    limit: int,
    root: Path | None,
) -> None:
    """Do the upkeep of a memory root; without --apply only say what would be written.

    \b
    ensure-ids   gives an id to each document that has none
    synthesize   makes the page of a topic from the documents about it
    lint         writes a report on what documents say together, into .jumpybrain/reports

    \b
    Examples:
      memoryrail-bot jumpybrain process --mode ensure-ids
      memoryrail-bot jumpybrain process --mode synthesize --topic "queue order" --apply

    Exit code: 0 done, or nothing is to be done; 1 refused, or something would be written and
    --apply is missing; 2 wrong usage.
    """
    where = place.find(root)

    def planned_on(contents: dict[str, bytes]) -> Processed:
        return process(
            contents,
            mode=mode,
            apply=True,  # it plans; whether to write is decided here
            topic=topic,
            since=since,
            limit=limit,
            now=now(),
            new_id=place.new_id,
        )

    if apply:
        with where.locked():
            contents = where.contents()
            done = planned_on(contents)
            where.write(done.files, {**contents, **_derived(where, done)})
    else:
        done = planned_on(where.contents())
    for line in _said(done, where.folder, applied=apply):
        click.echo(line)
    for path in done.stamped.foreign if done.stamped else ():
        say_error(
            f"{within(where.folder, path)}: warning: its id has another shape and is kept (bad-id)"
        )
    if done.files and not apply:
        say_error("Nothing was written. Say --apply to have it done. (apply-required)")
        context.exit(1)


def _derived(where: Place, done: Processed) -> dict[str, bytes]:
    """What stands where derived state is written: that may be replaced."""
    there = {name: writing.read(where.path, name) for name in done.files if bucket_of(name) is None}
    return {name: data for name, data in there.items() if data is not None}


def _said(done: Processed, folder: str, *, applied: bool) -> Iterator[str]:
    for one in done.findings:
        yield f"{one.kind}: {one_line(one.message)}"
    if done.stamped:
        for path, id_ in done.stamped.ids.items():
            file = one_line(within(folder, path))
            yield f"stamped {file}  {id_}" if applied else f"would stamp {file}"
        count = phrases.count(len(done.stamped.ids), "document")
        yield f"{count} {'stamped' if applied else 'to stamp'}."
        return
    for path in done.files:
        yield f"{'wrote' if applied else 'would write'} {one_line(within(folder, path))}"
    for path in done.page.sources if done.page else ():
        yield f"  from {one_line(within(folder, path))}"
