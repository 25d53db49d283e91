"""The lines that a commit made now would add."""

from pathlib import Path

from bot.core.report import Section, Unread
from bot.core.secret_names import new_paths
from bot.core.snapshot import AddedBlock
from bot.git import names
from bot.git.commits import TOO_LARGE, TOO_MUCH
from bot.git.diff import staged, with_unseen
from bot.git.repository import LocalRepository


def staged_lines(
    repository: LocalRepository, index: Path | None = None
) -> tuple[tuple[AddedBlock, ...], tuple[str, ...], tuple[Unread, ...]]:
    """Added lines and new names by path, and what could not be read. Of a merge its own changes.

    index: the file that git keeps it in, by default the repository's own. Raises GitError.
    """
    own = {file.path for file in names.staged(repository, index)}
    parent = repository.head() or repository.empty_tree
    found = staged(names.with_index(repository, index), parent)
    (diff,), large = with_unseen(repository, [found])
    reasons = [(path, TOO_LARGE) for path in large]
    if not diff.complete:
        reasons.append(("some of the staged changes", TOO_MUCH))
    files = [file for file in diff.files if file.path in own]
    blocks = (block for file in files for block in file.added)
    unread = (Unread(section=Section.SECRETS, what=what, why=why) for what, why in reasons)
    return tuple(blocks), new_paths(files), tuple(unread)
