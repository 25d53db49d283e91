"""The memory root that a command is about: found, read, locked and written."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from bot.cli import locking, writing
from bot.cli import project as projects
from bot.cli.author import allow_secrets_option
from bot.core.errors import UserError
from bot.core.model import MemoryStore, TreeFile
from bot.core.refs import Refs, bare, is_like_a_ref
from bot.formats import jumpybrain
from bot.formats.jumpybrain.ids import is_id, minted
from bot.formats.jumpybrain.layout import BUCKET_OF, CONFIG, MEMORY, TYPE_OF, within
from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.root import Root, read_root, require_writable
from bot.formats.jumpybrain.writing import Written
from bot.render import phrases
from bot.render.markdown import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A memory root, there or not yet."""

    path: Path  # absolute, without symlinks

    @property
    def folder(self) -> str:
        """It as seen from the top of the repository; "" for the top itself."""
        folder = self.path.relative_to(projects.top_of(self.path)).as_posix()
        return "" if folder == "." else folder

    def root(self) -> Root:
        """What jumpybrain.json says. Its problems have paths from the top of the repository."""
        config = self._config()
        return read_root(config and replace(config, path=within(self.folder, CONFIG)))

    def documents(self) -> tuple[TreeFile, ...]:
        """All documents by their paths from the root; one that cannot be read says why.

        Raises UserError where a bucket cannot be listed.
        """
        return tuple(
            file
            for bucket in TYPE_OF
            for file in sorted(projects.at(self.path, bucket, jumpybrain), key=lambda one: one.path)
        )

    def contents(self) -> dict[str, bytes]:
        """jumpybrain.json and the documents that can be read; the others are told as a note.

        Raises Refused for a root that is not compatible, before a document is read; UserError.
        """
        found = self._mark()
        documents = self.documents()
        for file in documents:
            if file.data is not None and not file.is_symlink:
                found[file.path] = file.data
        if left := sum(file.path not in found for file in documents):
            text = f"Note: {phrases.count(left, 'document')} cannot be read"
            click.echo(f"{text}: memoryrail-bot jumpybrain lint says why.", err=True)
        return found

    def names(self, type_: str) -> dict[str, bytes]:
        """jumpybrain.json, and all names in the bucket of a type, without what they hold.

        Of a type that the format does not know there are none. Raises Refused for a root that is
        not compatible; UserError.
        """
        found = self._mark()
        if (bucket := BUCKET_OF.get(type_)) is None:
            return found
        try:
            taken = [entry.name for entry in os.scandir(self.path / bucket)]
        except FileNotFoundError:
            taken = []
        except OSError as error:
            raise UserError(f"{self.path / bucket} cannot be read: {error.strerror}") from error
        return {**found, **{f"{bucket}/{name}": b"" for name in taken}}

    def _mark(self) -> dict[str, bytes]:
        config = self._config()
        require_writable(read_root(config))
        return {CONFIG: config.data} if config and config.data is not None else {}

    def _config(self) -> TreeFile | None:
        return projects.file(self.path, CONFIG)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one who writes here, until the block ends. Raises UserError."""
        with locking.locked(self.path):
            yield

    def write(self, contents: Mapping[str, bytes], before: Mapping[str, bytes]) -> None:
        """Write files, each of them whole or not at all; what is new replaces nothing.

        before: what contents was planned on, by path. Raises UserError, with nothing written, for a
        file that is another by now: programs that do not lock may write too.
        """
        for name in contents:
            if writing.read(self.path, name) != before.get(name):
                raise UserError(f"{name} has changed meanwhile. Nothing was written; try again.")
        writing.write(self.path, contents, new=contents.keys() - before.keys())

    def write_new(
        self, type_: str, plan: Callable[[Mapping[str, bytes]], Written], *, dry_run: bool
    ) -> None:
        """Write the document that plan makes beside what is there, and print its id and its file.

        dry_run: print the document alone.
        """
        planned = plan(self.names(type_))  # what is refused needs no lock, nor has others wait
        if dry_run:
            click.echo(visible(planned.data.decode()), nl=False)
            return
        with self.locked():
            names = self.names(type_)
            planned = plan(names)
            self.write({planned.place: planned.data}, names)
        click.echo(f"{planned.id}  {within(self.folder, planned.place)}")


root_option = click.option(
    "--root",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help=f"The memory root.  [default: the nearest with a {CONFIG}]",
)


def body_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What the verbs that write a new document have in common."""
    for option in reversed(
        (
            click.option("--title", required=True, metavar="TEXT", help="One line."),
            click.option("--tag", "tags", multiple=True, metavar="TAG", help="May be repeated."),
            click.option("--session-id", default="", metavar="ID", help="Where it comes from."),
            click.option("--body", metavar="TEXT", help="The text.  [default: standard input]"),
            click.option(
                "--body-file", metavar="FILE", type=click.Path(path_type=Path),
                help="Read the text from FILE.",
            ),
            click.option("--dry-run", is_flag=True, help="Write nothing; print the document."),
            allow_secrets_option,
            root_option,
        )
    ):  # fmt: skip
        command = option(command)
    return command


def find(root: Path | None) -> Place:
    """The root that was named, or the nearest one upwards, up to the repository's top.

    A folder goes before its memory/. Raises Refused (`no-root`); UserError for a symlink.
    """
    if root is not None:
        path = Path(os.path.realpath(root))
        if not path.is_dir():
            raise Refused("no-root", f"There is no folder {root}.")
        return Place(path=path)
    start = Path.cwd().resolve()
    for folder in (start, *start.parents):
        for path in (folder, folder / MEMORY):
            if not os.path.lexists(path / CONFIG):
                continue
            if Path(os.path.realpath(path)) != path:
                raise UserError(
                    f"{path} is reached through a symbolic link, which is not followed. Name the "
                    "folder that it leads to with --root."
                )
            return Place(path=path)
        if (folder / ".git").exists():
            break
    raise Refused(
        "no-root",
        f"There is no {CONFIG} here or further up. Make one with memoryrail-bot jumpybrain init, "
        "or name a folder with --root.",
    )


def id_named(name: str, where: Place, contents: Mapping[str, bytes]) -> str:
    """The id of the document that an id, a short ref or a file names.

    A file's path counts from the working directory, from the repository's top, as all verbs print
    it, or from the root. An id is not looked for, nor is what is none of the three. Raises
    UnknownRef, AmbiguousRef; Refused (`missing_id`) for a document without one.
    """
    name = bare(name)
    if name.startswith("mem_") or not (is_like_a_ref(name) or name.endswith(".md")):
        return name
    here = Path(os.path.realpath(name))
    if here.is_relative_to(where.path) and here.is_file():
        name = here.relative_to(where.path).as_posix()
    name = name.removeprefix(within(where.folder, ""))
    files = [TreeFile(path=path, oid="", data=data) for path, data in contents.items()]
    store = MemoryStore(format=jumpybrain.NAME, root="", config=CONFIG)
    memory = Refs(jumpybrain.reread(store, files).memories).resolve(name)
    if not is_id(memory.id):
        raise Refused(
            "missing_id",
            f"{memory.path} has no id by which it can be changed. Stamp it: memoryrail-bot "
            "jumpybrain process --mode ensure-ids --apply",
        )
    return memory.id


def new_id() -> str:
    """The id of a new document."""
    return minted(uuid4())
