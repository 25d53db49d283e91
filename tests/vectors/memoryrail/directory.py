"""A case's project on disk, for operations that look at directories, symlinks or a history."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.vectors.cases import MalformedError, content, only
from tests.vectors.memoryrail.project import Project

_COMMIT_KEYS: Final = ("at", "write", "delete")
_ENVIRONMENT: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",  # the committer's date is the one that counts
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
}


@contextmanager
def directory(project: Project, git: Sequence[Mapping[str, Any]] | None = None) -> Iterator[Path]:
    """A directory that holds the project; its commits first, then the files beside them.

    git None: no repository, but no project further up is found either.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        if git is None:
            (root / ".git").mkdir()
        else:
            _commit(root, git)
        for path, data in project.files.items():
            _write(root, path, data)
        for path, target in project.symlinks.items():
            place = _inside(root, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            place.symlink_to(target)
        yield root


def contents(root: Path) -> dict[str, bytes]:
    """Every file below a directory, without git's; of a symlink where it leads."""
    found = {}
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name != ".git"]
        for name in (*names, *files):
            path = Path(folder, name)
            if path.is_symlink():
                found[path.relative_to(root).as_posix()] = b"-> " + os.fsencode(path.readlink())
            elif path.is_file():
                found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


def _commit(root: Path, commits: Sequence[Mapping[str, Any]]) -> None:
    _git(root, "init", "-q", "-b", "main")
    for number, commit in enumerate(commits):
        only(commit, _COMMIT_KEYS, "git")
        written = commit.get("write", ())
        for path in written:
            text = written[path] if isinstance(written, Mapping) else f"{path}, {number}\n"
            _write(root, path, content(text))
        for path in commit.get("delete", ()):
            _git(root, "rm", "-q", "--", path)  # and the directories that it leaves empty
        _git(root, "add", "-A")
        _git(root, "commit", "-q", "--allow-empty", "-m", f"Commit {number}", at=commit["at"])


def _git(root: Path, *arguments: str, at: str = "") -> None:
    subprocess.run(
        ["git", *arguments],
        cwd=root,
        env={**os.environ, **_ENVIRONMENT, **({"GIT_COMMITTER_DATE": at} if at else {})},
        check=True,
        capture_output=True,
    )


def _write(root: Path, path: str, data: bytes) -> None:
    place = _inside(root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def _inside(root: Path, path: str) -> Path:
    place = Path(os.path.normpath(root / path))
    if not place.is_relative_to(root):
        raise MalformedError(f"{path} lies outside of the project")
    return place
