"""memoryrail-bot check: the review of a pull request, for commits of a local repository."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import click

from bot.core.report import Conclusion, Report
from bot.core.review import review
from bot.git.snapshot import load
from bot.render.comment import Place, comment
from bot.render.json import document
from bot.render.terminal import text

_BLOCKING: Final = frozenset({Conclusion.FAILURE, Conclusion.ACTION_REQUIRED})
_NOTHING: Final = "MemoryRail has nothing to say about this change.\n"
_FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "text": text,
    "json": lambda report: json.dumps(document(report), indent=2, ensure_ascii=False) + "\n",
    "markdown": lambda report: comment(report, Place(url="", number=0)) or _NOTHING,
}


@click.command()
@click.option("--base", metavar="REV", help="What the change is meant for.  [default: see above]")
@click.option("--head", metavar="REV", help="The last commit of the change.  [default: HEAD]")
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(_FORMATS)),
    default="text",
    show_default=True,
    help="markdown is the comment that a pull request would get.",
)
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.pass_context
def command(
    context: click.Context, base: str | None, head: str | None, format_: str, path: Path
) -> None:
    """Review the commits of HEAD that the base lacks, as a pull request with them would be.

    PATH is a directory of the repository, by default this one. The base is the default branch of
    origin, else main or master; on that branch itself the last commit is reviewed. Settings and
    memories that bind come from the base. What is not committed is not looked at.

    Exit code: 0 clean, 1 a check fails, 2 the review cannot be made.
    """
    report = review(load(path, base=base, head=head))
    click.echo(_FORMATS[format_](report), nl=False)
    context.exit(1 if _BLOCKING & set(report.conclusions.values()) else 0)
