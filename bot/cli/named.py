"""What a person names on the command line: where it lies in the project, and what a commit says."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.cli import project as projects
from bot.core.errors import UserError
from bot.git.repository import LocalRepository, shown

MAX_MESSAGE_BYTES: Final = 1 << 20
_MESSAGES: Final = frozenset({"COMMIT_EDITMSG", "MERGE_MSG"})  # what git hands to commit-msg
_SCISSORS: Final = "# ------------------------ >8 ------------------------"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where a command works."""

    repository: LocalRepository | None  # None outside git
    top: Path  # of the working tree, or of the project; without symlinks
    here: str  # the working directory from there, "" for the top itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Files that a person named, by their paths from the top."""

    files: tuple[str, ...]
    directories: tuple[str, ...]  # "" is the top itself
    message: str  # of the commit that is about to be made; "" when its file is not named


def ground(start: Path) -> Ground:
    """The working tree that a directory lies in; outside git the nearest project with memories.

    Raises UserError or GitError.
    """
    start = Path(os.path.realpath(start))
    if not any((one / ".git").exists() for one in (start, *start.parents)):
        top = projects.find(start).root
        return Ground(repository=None, top=top, here=_relative(start, top))
    repository = LocalRepository.discover(start)
    if repository.top is None:
        raise UserError(f"{start} is in no working tree; go to one")
    top = Path(os.path.realpath(repository.top))
    return Ground(repository=repository, top=top, here=_relative(start, top))


def named(names: Iterable[str], where: Ground) -> Named:
    """Sort out what was named, relative to the working directory; it need not be there yet.

    The file in which git keeps a commit's message is that message: a commit-msg hook gets it.
    Raises UserError for what lies outside the top, and for git's other own files.
    """
    files: list[str] = []
    directories: list[str] = []
    messages: list[str] = []
    git_dir = where.repository and Path(os.path.realpath(where.repository.git_dir))
    for name in names:
        path = _real(name)
        if git_dir and (path == git_dir or git_dir in path.parents):
            messages.append(_message(path, name))
            continue
        if path != where.top and where.top not in path.parents:
            raise UserError(f"{_shown(name)} lies outside {_shown(where.top)}; name files in it")
        is_directory = os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises for a long name
        (directories if is_directory else files).append(_relative(path, where.top))
    return Named(files=tuple(files), directories=tuple(directories), message="\n\n".join(messages))


def _real(name: str) -> Path:
    """The absolute path of what is named: through symlinked directories, to a symlink itself."""
    if not name:
        raise UserError("a file's name is empty; name a file, or . for this directory")
    if os.path.isdir(name) or name.endswith(".."):  # noqa: PTH112 - see above
        return Path(os.path.realpath(name))
    above, _, last = name.rstrip("/").rpartition("/")
    return Path(os.path.realpath(above or ("/" if name.startswith("/") else ".")), last)


def _message(path: Path, name: str) -> str:
    """A commit's message without git's comments, and without the diff below its scissors."""
    if path.name not in _MESSAGES or not path.is_file():
        raise UserError(f"{_shown(name)} is one of git's own files; name files of the project")
    with path.open("rb") as file:
        text = file.read(MAX_MESSAGE_BYTES).decode("utf-8", "replace")
    lines = text.partition(_SCISSORS)[0].split("\n")
    return "\n".join(line for line in lines if not line.startswith("#"))


def _relative(path: Path, top: Path) -> str:
    return "" if path == top else _shown(path.relative_to(top).as_posix())


def _shown(path: str | Path) -> str:
    return shown(os.fsencode(path))
