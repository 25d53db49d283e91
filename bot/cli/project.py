"""A project's working tree: the store that stands in it, and files written without surprises.

No symlink is followed, on reading or on writing, and nothing outside the project is touched.
"""

import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.core.errors import UserError
from bot.core.model import MemoryStore, TreeFile
from bot.formats import FORMATS, Format
from bot.formats.limits import MAX_FILE_BYTES
from bot.git.repository import shown
from bot.render.markdown import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A directory with a store, as it lies on disk, committed or not."""

    root: Path  # absolute, without symlinks
    format: Format
    store: MemoryStore


def find(path: Path) -> Project:
    """The project that path lies in: the nearest one upwards, up to the root of the repository."""
    start = path.resolve()
    for root in (start, *start.parents):
        for format_ in FORMATS:
            if store := format_.read("", list(files(root, format_))):
                return Project(root=root, format=format_, store=store)
        if (root / ".git").exists():
            break
    raise UserError(f"{path} is in no project with memories: there is no .memoryrail/config.json")


def files(root: Path, format_: Format) -> Iterator[TreeFile]:
    """The files on disk that a store at root would be read from, by paths from there."""
    for directory in format_.directories(""):
        if (root / directory).is_symlink():
            continue
        for folder, _, names in os.walk(root / directory):
            for name in names:
                path = Path(folder, name)
                relative = shown(os.fsencode(path.relative_to(root)))
                if format_.wanted("", relative):
                    yield _file(path, relative)


def file(root: Path, name: str) -> TreeFile | None:
    """One file as it lies on disk; None where there is none."""
    return _file(root / name, name) if os.path.lexists(root / name) else None


def read(root: Path, name: str) -> bytes | None:
    """The content of a file that may be written; None where there is none yet.

    Raises UserError when it cannot be read, or when writing it would follow a symlink or replace
    something else than a file.
    """
    path = root / name
    if Path(os.path.realpath(path.parent)) != path.parent:
        raise UserError(
            f"{name} is reached through a symlinked directory, which is not written through: "
            "make it a directory of the project"
        )
    if path.is_symlink():
        target = visible(shown(os.fsencode(path.readlink())))
        raise UserError(
            f"{name} is a symlink to {target}, which is not written through: replace it by a file, "
            "or link it to another of the generated files"
        )
    if path.exists() and not path.is_file():
        raise UserError(f"{name} is not a file, so it is not written: move it away")
    try:
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror}") from error


def write(root: Path, contents: Mapping[str, bytes]) -> None:
    """Write files that `read` let pass, each at once or not at all."""
    for name, data in contents.items():
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, data)
        except OSError as error:
            raise UserError(f"{name} cannot be written: {error.strerror}") from error


def _file(path: Path, relative: str) -> TreeFile:
    if path.is_symlink():
        target = os.fsencode(path.readlink())
        return TreeFile(path=relative, oid="", data=target, is_symlink=True)
    if not path.is_file():
        return TreeFile(path=relative, oid="", unread="it is not a file")
    if path.stat().st_size > MAX_FILE_BYTES:
        why = f"it is larger than {MAX_FILE_BYTES >> 20} MiB"
        return TreeFile(path=relative, oid="", unread=why)
    return TreeFile(path=relative, oid="", data=path.read_bytes())


def _replace(path: Path, data: bytes) -> None:
    """Write beside the file and rename: a reader sees the old content or the new, never half."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
