"""memoryrail-bot check: the review of a pull request, for commits of a local repository."""

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from bot.cli.uncommitted import uncommitted
from bot.core.report import Conclusion, Report
from bot.core.review import review
from bot.core.snapshot import Snapshot
from bot.git.snapshot import load
from bot.render import phrases
from bot.render.comment import Place, comment
from bot.render.json import document
from bot.render.markdown import visible
from bot.render.sarif import sarif
from bot.render.terminal import text
from bot.render.workflow import workflow

_BLOCKING: Final = frozenset({Conclusion.FAILURE, Conclusion.ACTION_REQUIRED})
_NOTHING: Final = "MemoryRail has nothing to say about this change."
_MAX_NAMED: Final = 3  # uncommitted files in the note about them
_FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "text": text,
    "json": lambda report: json.dumps(document(report), indent=2, ensure_ascii=False) + "\n",
    "markdown": lambda report: (
        (comment(report, Place(url="", number=0)) or _NOTHING).rstrip("\n") + "\n"
    ),
    "sarif": lambda report: (
        json.dumps(sarif(report, version=version("memoryrail-bot")), indent=2) + "\n"
    ),
    "github": workflow,
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
    help="markdown is the comment that a pull request would get; sarif is for code scanning, "
    "github for the log of GitHub Actions.",
)
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
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
    snapshot = load(path, base=base, head=head)
    report = review(snapshot)
    if format_ == "text":
        click.echo(_compared(snapshot))
    click.echo(_FORMATS[format_](report), nl=False)
    if format_ == "text" and any(one.rule == "uncited-constraint" for one in report.findings):
        click.echo("\nHere a citation counts in a commit message: there is no description yet.")
    if head is None:
        _note_uncommitted(path, snapshot)
    context.exit(1 if _BLOCKING & set(report.conclusions.values()) else 0)


def _compared(snapshot: Snapshot) -> str:
    pull = snapshot.pull
    head = f"{visible(pull.head_ref)} ({pull.head_sha[:7]})"
    name = "its parent" if pull.base_ref.endswith("^") else visible(pull.base_ref)
    base = f"{name} ({pull.base_sha[:7]})"
    if not snapshot.commits:
        return f"No commits to review: {base} has all of {head}."
    commits = phrases.count(len(snapshot.commits), "commit")
    files = phrases.count(len(snapshot.files), "file")
    if pull.base_ref == "(nothing)":
        return f"All of {head}: {commits}, {files}."
    return f"What {head} adds to {base}: {commits}, {files}."


def _note_uncommitted(path: Path, snapshot: Snapshot) -> None:
    roots = dict.fromkeys(["", *(store.root for store in snapshot.head.stores)])
    names = uncommitted(path, snapshot.head.sha, roots)
    if names:
        files = phrases.count(
            len(names), "file that is not committed was", "files that are not committed were"
        )
        more = ", …" if len(names) > _MAX_NAMED else ""
        shown = visible(", ".join(names[:_MAX_NAMED]))
        click.echo(f"Note: {files} not looked at: {shown}{more}", err=True)
