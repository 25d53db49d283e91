"""Which memories list and search are about: the options that both have."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import click

from bot.cli import project as projects
from bot.cli.project import Project
from bot.core.model import Memory, MemoryType, Status
from bot.core.precheck import covers
from bot.formats.jumpybrain.layout import BUCKET_OF
from bot.render import memories

_ALL: Final = "all"
_TYPES: Final = list(dict.fromkeys((*(type_.value for type_ in MemoryType), *BUCKET_OF)))
_STATUSES: Final = [*(status.value for status in Status), _ALL]


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options by which memories are chosen, and --json."""
    for option in reversed(
        (
            click.option(
                "--type", "types", multiple=True, type=click.Choice(_TYPES),
                help="May be repeated. Those from note on are jumpyBrain's.",
            ),
            click.option(
                "--status", "statuses", multiple=True, type=click.Choice(_STATUSES),
                help="May be repeated.  [default: active]",
            ),
            click.option("--tag", "tags", metavar="TAG", multiple=True, help="With all of these."),
            click.option(
                "--path", metavar="PATH",
                help="That apply to this file or directory, or to something in it.",
            ),
            click.option("--json", "as_json", is_flag=True, help="For programs."),
        )
    ):  # fmt: skip
        command = option(command)
    return command


def chosen(
    project: Project,
    *,
    types: Sequence[str],
    statuses: Sequence[str],
    tags: Sequence[str],
    path: str | None,
) -> tuple[Memory, ...]:
    """The memories that the options ask for: pinned ones that bind, then the others, each by id.

    Raises UserError for a path outside.
    """
    at = None if path is None else projects.located(project.root, path)
    wanted = set(statuses) or {Status.ACTIVE.value}
    found = (
        memory
        for memory in project.memories
        if (_ALL in wanted or memory.status.value in wanted)
        and (not types or {memory.type.value, memory.kind} & set(types))
        and set(tags) <= set(memory.tags)
        and (at is None or any(covers(link, at) or covers(at, link) for link in memory.links))
    )
    return tuple(sorted(found, key=lambda one: not (one.pinned and one.status is Status.ACTIVE)))


def say(found: Sequence[Memory], *, as_json: bool) -> None:
    """Print memories: a table for people, a line for each in a pipe, JSON for programs."""
    if as_json:
        click.echo(json.dumps([memories.document(one) for one in found], indent=2))
    elif _is_terminal():
        _table(found)
    else:
        for memory in found:
            click.echo("  ".join(_row(memory)))


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _row(memory: Memory) -> tuple[str, str, str, str]:
    mark = "* " if memory.pinned else ""
    title = mark + memories.one_line(memory.title)
    return f"{memory.ref:<8}", f"{memory.called:<10}", f"{memory.status:<10}", title


def _table(found: Iterable[Memory]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="")
    for name in ("ref", "type", "status"):
        table.add_column(name, no_wrap=True)
    table.add_column("title", overflow="fold", ratio=1)
    for memory in found:
        table.add_row(*map(Text, _row(memory)))  # never read as markup
    Console(highlight=False).print(table)
