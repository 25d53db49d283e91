"""What lies in a working tree and not in its commit: memories, configuration and agent files.

git's own status is not asked: it would run the filters that a repository may configure.
"""

import contextlib
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.cli import project as projects
from bot.core.errors import UserError
from bot.core.model import TreeFile
from bot.formats import FORMATS, Format
from bot.git.repository import LocalRepository


def uncommitted(path: Path, sha: str, roots: Iterable[str]) -> tuple[str, ...]:
    """Files of the stores at roots that are new, or other than at commit sha; by path.

    path: any directory of the working tree. roots: from the top of the repository. The paths are
    from there too; a bare repository has none. Raises GitError.
    """
    start = path.resolve()
    repository = LocalRepository.discover(start)
    top = next((one for one in (start, *start.parents) if (one / ".git").exists()), None)
    if top is None or LocalRepository.discover(top).git_dir != repository.git_dir:
        return ()
    found: set[str] = set()
    for root in roots:
        for format_ in FORMATS:
            with contextlib.suppress(UserError):  # what cannot be read is not told as uncommitted
                found.update(_differing(repository, sha, top, root, format_))
    return tuple(sorted(found))


def _differing(
    repository: LocalRepository, sha: str, top: Path, root: str, format_: Format
) -> Iterator[str]:
    own = list(projects.files(top / root, format_))
    if not own:
        return
    below = f"{root}/" if root else ""
    here = {f"{below}{file.path}": file for file in own}
    for name in format_.AGENT_FILES:
        if file := projects.file(top / root, name):
            here[f"{below}{name}"] = file
    committed = {entry.path: entry.oid for entry in repository.entries(sha, sorted(here))}
    for name, file in here.items():
        if file.data is not None and not _is_blob(file, committed.get(name, "")):
            yield name


def _is_blob(file: TreeFile, oid: str) -> bool:
    """Whether git keeps a file as the object oid, with its own line ends or with those of git."""
    data = file.data or b""
    return oid in {_oid(data, len(oid)), _oid(data.replace(b"\r\n", b"\n"), len(oid))}


def _oid(data: bytes, digits: int) -> str:
    """The id that git gives a content, in a repository whose ids have so many digits."""
    kind = hashlib.sha256 if digits == 64 else hashlib.sha1
    return kind(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
