"""Where the entries lie that a command is about: found, read, locked and written."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from bot.cli import locking, writing
from bot.cli.family import now
from bot.cli.project import top_of
from bot.core.errors import UserError
from bot.formats.cursor import session
from bot.formats.cursor.append import Refused
from bot.formats.cursor.layout import FOLDER, SESSION, kind_of
from bot.formats.cursor.validate import File, read_file

MAX_BYTES: Final = 64 << 20  # of one file; a memory of years is a tenth of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A directory of entries, there or not yet."""

    path: Path  # absolute, without symlinks

    @property
    def session_file(self) -> Path:
        """The file in which the hooks keep the task at work."""
        return Path(os.path.normpath(self.path / SESSION))

    def contents(self) -> dict[str, bytes]:
        """The files of entries by name. Raises UserError for one that cannot be read."""
        try:
            names = sorted(entry.name for entry in os.scandir(self.path))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise UserError(f"{self.path} cannot be read: {error.strerror}") from error
        return {name: self.read(name) for name in names if kind_of(name)}

    def read(self, name: str) -> bytes:
        """One file. Raises UserError for what is none, and for symlinks, which are not followed."""
        path = self.path / name
        if not path.is_symlink() and path.is_file() and path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path} is larger than {MAX_BYTES >> 20} MiB: rotate it")
        data = writing.read(self.path, name)
        if data is None:
            raise Refused("file-missing", f"There is no {path}.")
        return data

    def files(self) -> tuple[File, ...]:
        """What all files hold, by name."""
        return tuple(read_file(name, data) for name, data in self.contents().items())

    @contextmanager
    def locked(self, *, make: bool = False) -> Iterator[None]:
        """Be the only one who writes here, until the block ends; the directory itself is locked.

        make: make it where it is missing. Raises UserError when others do not come to an end.
        """
        if not make and not self.path.is_dir():
            raise UserError(f"There is no {self.path}.")
        with locking.locked(self.path):
            yield

    def state(self) -> session.State | None:
        """The session as its file has it; None without a file. Raises UserError."""
        data = writing.read(self.session_file.parent, self.session_file.name)
        return None if data is None else session.parse(data, str(self.session_file))

    def change_state(
        self, change: Callable[[session.State | None], session.State]
    ) -> session.State:
        """Let change make the new state of the old, and write what is new. Raises UserError."""
        with locking.locked(self.session_file.parent):
            old = self.state()
            new = change(old)
            if new != old:
                writing.write(
                    self.session_file.parent, {self.session_file.name: session.rendered(new)}
                )
        return new

    def active_id(self) -> str:
        """The correlation id of the task at work; a session begins where there is none."""
        state = self.state()
        if state is None:
            state = self.change_state(lambda old: old or session.begun(now()))
        return session.active(state, str(self.session_file))

    def write(self, contents: Mapping[str, bytes]) -> None:
        """Write files, each of them whole or not at all. Raises UserError."""
        writing.write(self.path, contents)


def path_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that names another directory than the nearest one."""
    return click.option(
        "--path",
        "path",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help=f"The directory of entries.  [default: the nearest {FOLDER}]",
    )(command)


def find(path: Path | None, *, is_there: bool = False) -> Place:
    """The directory that was named, or the nearest one upwards, up to the repository's top.

    Where there is none, where it would be: at the top. is_there: what is named must be there, lest
    a wrong name passes for clean. Raises UserError for that and for a symlink.
    """
    if path is not None and is_there and not path.is_dir():
        raise UserError(f"There is no directory {path}.")
    if path is not None:
        return Place(path=Path(os.path.realpath(path)))
    start = Path.cwd().resolve()
    top = top_of(start)
    above = [start, *(one for one in start.parents if one.is_relative_to(top))]
    found = next((one for one in above if os.path.lexists(one / FOLDER)), top) / FOLDER
    if Path(os.path.realpath(found)) != found:
        raise UserError(
            f"{found} is reached through a symbolic link, which is not followed. Name the "
            "directory that it leads to with --path."
        )
    return Place(path=found)
