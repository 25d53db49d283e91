"""memoryrail-bot add: a new memory."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from bot.cli import moves
from bot.cli import project as projects
from bot.cli.author import agent_variable, is_at_a_terminal, must_be_at_a_terminal
from bot.cli.project import Project
from bot.core.errors import GitError, UserError
from bot.core.model import MemoryType, Status
from bot.formats.limits import MAX_FILE_BYTES
from bot.formats.memoryrail.create import Draft, create
from bot.formats.memoryrail.layout import id_of, is_memory_path
from bot.git.names import tracked
from bot.git.repository import LocalRepository
from bot.render.markdown import visible

_TEMPLATE: Final = """

<!-- Say why, in Markdown, above this line: what made it so, what it costs, what would change it.
     This comment is taken out. Save nothing to give up. -->
"""


@click.command()
@click.argument("type_", metavar="TYPE", type=click.Choice([type_.value for type_ in MemoryType]))
@click.argument("title")
@click.option("--body", metavar="TEXT", help="The Markdown body; - reads standard input.")
@click.option(
    "--body-file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="A file with the body.",
)  # fmt: skip
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="A label. May be repeated.")
@click.option(
    "--link", "links", metavar="PATH", multiple=True,
    help="A file or directory that the memory is about. May be repeated.",
)  # fmt: skip
@click.option("--pinned", is_flag=True, help="Always shown first. Use it sparingly.")
@click.option("--supersedes", metavar="REF", help="The memory that this one replaces.")
@click.option("--proposed", is_flag=True, help="Waits until a person approves it.")
@click.option("--agent", is_flag=True, help="A coding agent writes this: the review gate applies.")
@click.option(
    "--allow-secret", is_flag=True,
    help="Write it although it holds what looks like a credential. For people at a terminal.",
)  # fmt: skip
@moves.dry_run
def command(
    *,
    type_: str,
    title: str,
    body: str | None,
    body_file: Path | None,
    tags: tuple[str, ...],
    links: tuple[str, ...],
    pinned: bool,
    supersedes: str | None,
    proposed: bool,
    agent: bool,
    allow_secret: bool,
    dry_run: bool,
) -> None:
    """Remember something: write a new memory.

    TYPE is decision, constraint, gotcha, attempt, thread or session. TITLE is one line that states
    the conclusion. Without a body, $EDITOR is opened. Paths count from the working directory. What
    an agent writes is only proposed where the project's review gate is on; a known coding agent is
    recognised by itself.

    \b
    Examples:
      memoryrail-bot add decision "Use Drizzle over Prisma" --link src/db --body "Edge needs it."
      memoryrail-bot add attempt "A pooler in front of SQLite locks up" --body - < notes.md
      memoryrail-bot add decision "Use PostgreSQL" --supersedes DEC-5dbe --agent --body "..."
    """
    by_agent = agent or agent_variable() is not None
    if allow_secret:
        if agent:
            raise UserError("--allow-secret is for people, and --agent says that an agent writes")
        must_be_at_a_terminal("write what looks like a credential")
    project = moves.to_write()
    draft = Draft(
        type=MemoryType(type_),
        title=title,
        body=_body(body, body_file),
        tags=tags,
        links=tuple(_link(project, link) for link in links),
        pinned=pinned,
        supersedes=moves.resolved_here(project, supersedes) if supersedes else None,
        proposed=proposed,
    )
    plan = create(
        project.tree,
        draft,
        now=moves.now(),
        by_agent=by_agent,
        allow_secret=allow_secret,
        elsewhere=tuple(_ids_elsewhere(project)),
    )
    moves.finish(project, plan, only_show=dry_run)
    [action] = plan.actions
    if action.memory.status is Status.PROPOSED and not dry_run:
        click.echo(f"It waits for a person: memoryrail-bot approve {action.memory.ref}")
    for link in draft.links:
        if not os.path.lexists(project.root / link):
            pattern = " A link is a path, not a pattern." if set(link) & set("*?[") else ""
            click.echo(visible(f"Note: nothing is at {link} yet.{pattern}"), err=True)


def _link(project: Project, path: str) -> str:
    if "://" in path:
        raise UserError(
            f"--link {path}: a link is a path in the project; put addresses in the body"
        )
    return projects.located(project.root, path)


def _ids_elsewhere(project: Project) -> Iterator[str]:
    """The ids of the repository's other stores, as far as git knows of their files."""
    with contextlib.suppress(GitError):
        for path in tracked(LocalRepository.discover(project.root), ""):
            root = path.rpartition(".memoryrail/memories/")[0].rstrip("/")
            if is_memory_path(root, path):
                yield id_of(path)


def _body(text: str | None, file: Path | None) -> str:
    """The body, from wherever it was said to come. Raises UserError."""
    if text is not None and file is not None:
        raise UserError("give the body by --body or by --body-file, not by both")
    if text == "-":
        return _decoded(sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "standard input")
    if text is not None:
        return text
    if file is not None:
        try:
            with file.open("rb") as opened:
                return _decoded(opened.read(MAX_FILE_BYTES + 1), str(file))
        except OSError as error:
            raise UserError(f"{file} cannot be read: {error.strerror}") from error
    if not is_at_a_terminal():
        raise UserError(
            "there is no terminal to open an editor on: give the body by --body TEXT, by "
            '--body-file FILE or, from standard input, by --body -; --body "" for none'
        )
    written = click.edit(_TEMPLATE, extension=".md", require_save=True)
    if written is None:
        raise UserError("nothing was saved, so nothing was written")
    return written.replace(_TEMPLATE.strip("\n"), "")


def _decoded(data: bytes, where: str) -> str:
    if len(data) > MAX_FILE_BYTES:
        raise UserError(f"{where} holds more than {MAX_FILE_BYTES >> 20} MiB")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UserError(f"{where} is not UTF-8 (byte {error.start})") from None
