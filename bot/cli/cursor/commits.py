"""The files of entries as commits have them."""

from pathlib import Path

from bot.cli.cursor.place import Place
from bot.core.errors import UserError
from bot.formats import cursor
from bot.formats.cursor.layout import FOLDER
from bot.git.repository import LocalRepository
from bot.git.side import stores_at


def repository_of(where: Place) -> LocalRepository:
    """The repository in whose working tree the entries lie. Raises UserError, GitError."""
    repository = LocalRepository.discover(where.path)
    if repository.top is None or where.path.parts[-2:] != Path(FOLDER).parts:
        raise UserError(f"{where.path} is no {FOLDER} in a working tree, so no commit has it.")
    return repository


def files_at(repository: LocalRepository, sha: str, where: Place) -> dict[str, bytes]:
    """The files of a commit by name. Raises GitError; UserError for one that cannot be read."""
    top = Path(repository.top or "").resolve()
    root = where.path.parent.parent.relative_to(top).as_posix().removeprefix(".")
    found: dict[str, bytes] = {}
    for store in stores_at(repository, sha, [root]):
        for path, file in store.files.items() if store.format == cursor.NAME else ():
            if file.data is None or file.is_symlink:
                raise UserError(f"{path} of {sha[:7]} cannot be read: {file.unread or 'a symlink'}")
            found[path.rpartition("/")[2]] = file.data
    return found
