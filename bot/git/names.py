"""Which files differ, by name alone: in commits and in the index, never in the working tree.

Looking into the working tree would run the filters that a repository may configure.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.core.snapshot import ChangedFile
from bot.git.diff import STATUS
from bot.git.repository import LocalRepository, shown

_NAMES: Final = ("-z", "--name-status", "--find-renames=50%", "-l1000", "--ignore-submodules=none")
_UNMERGED: Final = "U"


def changed(repository: LocalRepository, before: str, after: str) -> tuple[ChangedFile, ...]:
    """The files that differ between two trees, by path, without their lines."""
    return _files(repository.run("diff-tree", "-r", *_NAMES, before, after))


def staged(repository: LocalRepository, index: Path | None = None) -> tuple[ChangedFile, ...]:
    """The files that a commit made now would change, by path, without their lines.

    Before the first commit these are all files. In a merge only what differs from all its parents
    counts: the rest came with one of them. index: the file that git keeps it in, by default the
    repository's own.
    """
    own = with_index(repository, index)
    merging = repository.git_dir / "MERGE_HEAD"
    others = merging.read_text("ascii", "replace").split() if merging.is_file() else []
    parents = [repository.head() or repository.empty_tree, *map(repository.commit, others)]
    first, *more = (
        _files(own.run("diff-index", "--cached", *_NAMES, parent, "--")) for parent in parents
    )
    common = [{file.path for file in files} for files in more]
    return tuple(file for file in first if all(file.path in paths for paths in common))


def tracked(repository: LocalRepository, directory: str) -> tuple[str, ...]:
    """The paths that git keeps below a directory of the repository, "" for its root."""
    own = with_index(repository, None)
    listed = own.run("ls-files", "-z", "--cached", "--full-name", "--", *filter(None, [directory]))
    return tuple(shown(name) for name in listed.split(b"\0")[:-1])


def with_index(repository: LocalRepository, index: Path | None) -> LocalRepository:
    """The same repository; but git reads its index."""
    file = index or repository.git_dir / "index"
    return replace(repository, environment={**repository.environment, "GIT_INDEX_FILE": str(file)})


def _files(output: bytes) -> tuple[ChangedFile, ...]:
    """Each file as its letter and name; a renamed one as R with a percentage, old and new name."""
    fields = iter(output.split(b"\0")[:-1])
    files: dict[str, ChangedFile] = {}
    for letter in fields:
        status = letter[:1].decode("ascii")
        old = shown(next(fields)) if status == "R" else None
        path = shown(next(fields))
        if status == _UNMERGED and path in files:
            continue  # a file in conflict is listed a second time where it is in the index as well
        files[path] = ChangedFile(
            path=path, status=STATUS.get(status, "modified"), previous_path=old
        )
    return tuple(sorted(files.values(), key=lambda file: file.path))
