"""The files of a working tree that git keeps or would keep: not what .gitignore leaves out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.git.repository import LocalRepository


def listed(repository: LocalRepository, top: Path, paths: Sequence[bytes]) -> tuple[bytes, ...]:
    """Tracked and new files at some paths and below them, by path; all of them for no path.

    top: of the working tree; paths count from there, b"." is the top itself. What is tracked and
    deleted is listed too. Raises GitError.
    """
    environment = {
        **repository.environment,
        "GIT_INDEX_FILE": str(repository.git_dir / "index"),
        "GIT_WORK_TREE": str(top),
        "GIT_LITERAL_PATHSPECS": "1",
    }
    own = replace(repository, environment=environment)
    asked = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--")
    names = (path.decode("utf-8", "surrogateescape") for path in paths)
    return tuple(sorted(set(own.run("-C", str(top), *asked, *names).split(b"\0")[:-1])))
