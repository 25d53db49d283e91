"""memoryrail-bot jumpybrain init: a folder becomes a memory root."""

import os
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from bot.cli import writing
from bot.cli.family import now
from bot.cli.jumpybrain.place import Place
from bot.core.errors import UserError
from bot.formats.jumpybrain.layout import CONFIG, MEMORY, TYPE_OF
from bot.formats.jumpybrain.root import initialized

_IGNORE: Final = ".gitignore"


@click.command()
@click.option(
    "--root",
    default=MEMORY,
    metavar="DIR",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder; it is made where it is missing.",
)
@click.option("--force", is_flag=True, help=f"Write {CONFIG} anew, also one that cannot be read.")
def command(root: Path, force: bool) -> None:
    """Make a folder a memory root: jumpybrain.json, six buckets, .gitignore for derived state.

    What is there stays as it is. A root of a newer schema is refused, whatever --force says.
    """
    if root.is_symlink():
        raise UserError(f"{root} is a symbolic link. Name the folder that it leads to.")
    where = Place(path=Path(os.path.realpath(root)))
    with where.locked():
        files = {
            name: data
            for name in (_IGNORE, CONFIG)
            if (data := writing.read(where.path, name)) is not None
        }
        planned = initialized(files, now=now(), version=version("memoryrail-bot"), force=force)
        missing = [bucket for bucket in TYPE_OF if not _is_bucket(where.path / bucket)]
        for bucket in missing:
            (where.path / bucket).mkdir()
        where.write(planned, files)
    for name in (*(f"{bucket}/" for bucket in missing), *planned):
        click.echo(f"wrote {where.path / name}{'/' * name.endswith('/')}")
    if not missing and not planned:
        click.echo(f"{where.path} is a memory root already. Nothing was written.")
    if where.folder not in {"", MEMORY}:
        click.echo(
            "Note: on pull requests a root elsewhere than in memory/ is found at once only where "
            f".github/memoryrail.yml names it: stores: [{where.folder}]",
            err=True,
        )


def _is_bucket(path: Path) -> bool:
    """Whether a bucket is there. Raises UserError for something else in its place."""
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise UserError(f"{path} is no folder, so no bucket. Nothing was written; move it away.")
    return path.exists()
