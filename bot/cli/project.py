"""A project's working tree: the store that stands in it, and files written without surprises.

No symlink is followed, on reading or on writing, and nothing outside the project is touched. Paths
count from the project's root here, which is the root of its store.
"""

import errno
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bot.core.edit_plan import EditPlan
from bot.core.errors import UserError
from bot.core.model import MemoryStore, TreeFile
from bot.formats import FORMATS, Format
from bot.formats.limits import MAX_FILE_BYTES
from bot.formats.memoryrail.lifecycle import StoreTree
from bot.git.repository import shown
from bot.render.markdown import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A directory with a store, as it lies on disk, committed or not."""

    root: Path  # absolute, without symlinks
    top: Path  # of the repository that it lies in; the root itself where there is none
    format: Format
    tree: StoreTree  # the store with the files behind it and the agent files beside it

    @property
    def store(self) -> MemoryStore:
        """The store alone."""
        return self.tree.store


def find(path: Path) -> Project:
    """The project that path lies in: the nearest one upwards, up to the root of the repository.

    Raises UserError where there is none.
    """
    start = path.resolve()
    for root in (start, *start.parents):
        for format_ in FORMATS:
            if store := format_.read("", list(files(root, format_))):
                return Project(
                    root=root, top=top_of(root), format=format_, tree=_tree(root, format_, store)
                )
        if (root / ".git").exists():
            break
    links = [one for one in (start, *start.parents) if (one / ".memoryrail").is_symlink()]
    if links:
        raise UserError(f"{links[0] / '.memoryrail'} is a symbolic link, which is not followed.")
    raise UserError(
        f"{start} is in no project with memories: there is no .memoryrail/config.json. "
        "Make one with memoryrail-bot init."
    )


def located(root: Path, path: str) -> str:
    """A path that a person gave, from the working directory, as one from root; "." is root itself.

    Its symlinks are not followed: a link names what is in the repository. Raises UserError for a
    path outside of root.
    """
    absolute = Path(os.path.normpath(Path(os.path.realpath(Path.cwd()), path)))
    try:
        return _relative(root, absolute)
    except ValueError:
        raise UserError(f"{path} lies outside of {root}") from None


def stores(top: Path, roots: Iterable[str]) -> tuple[MemoryStore, ...]:
    """The stores that lie on disk at some directories, with paths from the top; by root.

    top: without symlinks. A directory that is reached through one is passed over.
    """
    found = []
    for root in roots:
        place = top / root
        if Path(os.path.realpath(place)) != place:
            continue
        for format_ in FORMATS:
            own = [
                replace(file, path=f"{root}/{file.path}".lstrip("/"))
                for file in files(place, format_)
            ]
            if store := format_.read(root, own):
                found.append(store)
    return tuple(found)


def files(root: Path, format_: Format) -> Iterator[TreeFile]:
    """The files on disk that a store at root would be read from, by paths from there.

    What cannot be read is among them, and says why. Raises UserError when the store's own directory
    cannot be listed.
    """
    for directory in format_.directories(""):
        top = root / directory
        if not top.is_dir() or top.is_symlink():
            continue
        unlisted: list[OSError] = []
        for folder, folders, names in os.walk(top, onerror=unlisted.append):
            links = [name for name in folders if Path(folder, name).is_symlink()]
            for name in (*names, *links):
                path = Path(folder, name)
                if format_.wanted("", relative := _relative(root, path)):
                    yield _file(path, relative)
        for error in unlisted:
            relative = _relative(root, Path(os.fsdecode(error.filename)))
            if relative == directory:
                raise UserError(f"{top} cannot be read: {error.strerror}")
            if format_.wanted("", relative):
                yield TreeFile(path=relative, oid="", unread=error.strerror)


def file(root: Path, name: str) -> TreeFile | None:
    """One file as it lies on disk; None where there is none."""
    return _file(root / name, name) if os.path.lexists(root / name) else None


def read(root: Path, name: str) -> bytes | None:
    """The content of a file that may be written; None where there is none yet.

    Raises UserError when it cannot be read, or when writing it would follow a symlink or replace
    something else than a file.
    """
    path = Path(os.path.normpath(root / name))
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


def carry_out(project: Project, plan: EditPlan) -> None:
    """Make the edits of a plan, after all of them were found possible.

    Raises UserError, with nothing written, when a file is not as the plan was made on: another
    program may have written it meanwhile. A new file never replaces one that is there.
    """
    before = project.tree.files
    for edit in plan.edits:
        planned_on = before.get(edit.path) if edit.expected_oid is not None else None
        if read(project.root, edit.path) != (planned_on.data if planned_on else None):
            raise UserError(f"{edit.path} has changed meanwhile. Nothing was written; try again.")
    for edit in plan.edits:
        path = project.root / edit.path
        try:
            if edit.data is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                _replace(path, edit.data, is_new=edit.expected_oid is None)
        except OSError as error:
            raise UserError(f"{edit.path} cannot be written: {error.strerror}") from error


def _relative(root: Path, path: Path) -> str:
    return shown(os.fsencode(path.relative_to(root).as_posix()))


def _file(path: Path, relative: str) -> TreeFile:
    try:
        if path.is_symlink():
            target = os.fsencode(path.readlink())
            return TreeFile(path=relative, oid="", data=target, is_symlink=True)
        if not path.is_file():
            return TreeFile(path=relative, oid="", unread="it is not a file")
        if path.stat().st_size > MAX_FILE_BYTES:
            why = f"it is larger than {MAX_FILE_BYTES >> 20} MiB"
            return TreeFile(path=relative, oid="", unread=why)
        return TreeFile(path=relative, oid="", data=path.read_bytes())
    except OSError as error:
        return TreeFile(path=relative, oid="", unread=error.strerror or "it cannot be read")


def _tree(root: Path, format_: Format, store: MemoryStore) -> StoreTree:
    there = [file(root, name) for name in format_.AGENT_FILES]
    beside = {one.path: one for one in there if one is not None}
    return StoreTree(store=store, files={**store.files, **beside})


def top_of(root: Path) -> Path:
    """The top of the repository that a directory lies in; where there is none, the directory."""
    return next((one for one in (root, *root.parents) if (one / ".git").exists()), root)


def _replace(path: Path, data: bytes, *, is_new: bool = False) -> None:
    """Write beside the file and rename: a reader sees the old content or the new, never half.

    is_new: raises FileExistsError rather than replace a file.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        if is_new:
            _link(path, temporary)
        else:
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _link(path: Path, temporary: Path) -> None:
    """Give a file its name; unlike a rename, this refuses to replace another one."""
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        temporary.replace(path)
