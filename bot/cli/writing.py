"""Files of a project written without surprises.

No symlink is written through, and nothing outside the project is touched. Everything is looked at
and put beside its place before the first file changes.
"""

import errno
import os
import secrets
from collections.abc import Collection, Mapping
from pathlib import Path

from bot.cli.project import Project
from bot.core.edit_plan import EditPlan
from bot.core.errors import UserError
from bot.git.repository import shown
from bot.render.markdown import visible


def read(root: Path, name: str) -> bytes | None:
    """The content of a file that may be written; None where there is none yet.

    Raises UserError when it cannot be read, or when writing it would follow a symlink or replace
    something else than a file.
    """
    path = _path(root, name)
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
    for above in path.parents:
        if os.path.lexists(above):
            if not above.is_dir():
                raise UserError(f"{name}: {above.name} is not a directory, so no file fits in it")
            break
    if path.exists() and not path.is_file():
        raise UserError(f"{name} is not a file, so it is not written: move it away")
    try:
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror}") from error


def write(root: Path, contents: Mapping[str, bytes], new: Collection[str] = ()) -> None:
    """Write files that `read` let pass. Raises UserError, which says what was written.

    new: names that must not be there yet.
    """
    _Batch(root, dict(contents), new).carry_out()


def carry_out(project: Project, plan: EditPlan) -> None:
    """Make the edits of a plan, after all of them were found possible.

    What is there is changed before what is new, so that a memory that was replaced never binds
    beside its successor. Raises UserError, with nothing written, when a file is not as the plan was
    made on: another program may have written it meanwhile. A new file never replaces one that is
    there.
    """
    before = project.files
    for edit in plan.edits:
        planned_on = before.get(edit.path) if edit.expected_oid is not None else None
        if read(project.root, edit.path) != (planned_on.data if planned_on else None):
            raise UserError(f"{edit.path} has changed meanwhile. Nothing was written; try again.")
    ordered = sorted(plan.edits, key=lambda edit: edit.expected_oid is None)
    new = {edit.path for edit in plan.edits if edit.expected_oid is None}
    _Batch(project.root, {edit.path: edit.data for edit in ordered}, new).carry_out()


class _Batch:
    """Files to write or delete, in order. A reader sees the old content of each or the new."""

    def __init__(
        self,
        root: Path,
        contents: Mapping[str, bytes | None],
        new: Collection[str] = (),
    ) -> None:
        """contents: by name, None deletes. new: names that must not be there yet."""
        self._root, self._contents, self._new = root, contents, new
        self._staged: dict[str, Path] = {}  # name -> the content, beside its place

    def carry_out(self) -> None:
        """Put every content beside its place, then into it."""
        done: list[str] = []
        name = ""
        try:
            for name, data in self._contents.items():
                if data is not None:
                    self._staged[name] = _stage(_path(self._root, name), data)
            for name in self._contents:
                self._put(name)
                done.append(name)
        except OSError as error:
            written = f"; written before it: {', '.join(done)}" if done else ""
            raise UserError(f"{name} cannot be written: {error.strerror}{written}") from error
        finally:
            for temporary in self._staged.values():
                temporary.unlink(missing_ok=True)

    def _put(self, name: str) -> None:
        path = _path(self._root, name)
        if os.path.realpath(path.parent) != str(path.parent):  # since it was looked at
            raise UserError(
                f"{name}: its directory has become a symlink. Nothing was written to it"
            )
        if name not in self._staged:
            path.unlink()
        elif name in self._new:
            _link(path, self._staged[name])
        else:
            self._staged[name].replace(path)


def _path(root: Path, name: str) -> Path:
    return Path(os.path.normpath(root / name))


def _stage(path: Path, data: bytes) -> Path:
    """The content in a file beside its place, safe on the disk, with the mode of what is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


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
