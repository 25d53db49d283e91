"""Which files of a working tree git leaves out, so that nobody else gets to see them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.git.repository import LocalRepository, shown


def ignored(repository: LocalRepository, top: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of some untracked paths that .gitignore or its like names; by path.

    top: of the working tree; the paths count from there. Raises GitError.
    """
    if not paths:
        return ()  # git would take that for all files
    environment = {
        **repository.environment,
        "GIT_INDEX_FILE": str(repository.git_dir / "index"),
        "GIT_WORK_TREE": str(top),
    }
    asked = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *paths)
    listed = replace(repository, environment=environment).run("-C", str(top), *asked)
    return tuple(sorted(shown(name) for name in listed.split(b"\0")[:-1]))
