"""The snapshot of a local range of commits: what a pull request from head into base would be.

Only what is committed counts. Settings and binding memories come from the base, as everywhere.
"""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from bot.core.model import Problem
from bot.core.precheck import count
from bot.core.report import Section, Unread
from bot.core.repository_settings import SETTINGS_PATH, RepositorySettings, parse
from bot.core.snapshot import ChangedFile, PullRequest, Repository, Snapshot
from bot.core.staleness import links_to_look_up
from bot.formats.differences import differences
from bot.formats.discovery import candidate_roots
from bot.git.commits import TOO_LARGE, TOO_MUCH, earlier, in_range
from bot.git.diff import compare, with_unseen
from bot.git.repository import LocalRepository
from bot.git.side import read_file, sides

MAX_EARLIER: Final = 500  # changes before the base that tell how common a word is
MAX_BODY: Final = 65_536  # characters, as in a pull request on GitHub


def load(path: Path, *, base: str | None = None, head: str | None = None) -> Snapshot:
    """Read a range of commits of the repository that path lies in.

    base, head: revisions as git knows them. None for head is the commit that is checked out; None
    for base is what LocalRepository.default_base says. Raises GitError.
    """
    repository = LocalRepository.discover(path)
    head_sha = repository.commit("HEAD" if head is None else head)
    base_ref, base_sha = (
        repository.default_base(head_sha) if base is None else (base, repository.commit(base))
    )
    files, unread = _files(repository, repository.merge_base(base_sha, head_sha), head_sha)
    commits, unread_commits = in_range(repository, base_sha, head_sha)
    settings, problems = settings_at(repository, base_sha)
    base_side, head_side = sides(
        repository, base_sha, head_sha, candidate_roots(files, settings.stores)
    )
    proposes = any(file.path == SETTINGS_PATH and file.status != "removed" for file in files)
    proposed = settings_at(repository, head_sha)[1] if proposes else None
    newest = commits[-1].message if commits else ""
    return Snapshot(
        repository=Repository(id=0, full_name=repository.name, default_branch=base_ref),
        pull=PullRequest(
            number=0,
            title=newest.partition("\n")[0],
            body="\n\n".join(commit.message for commit in commits)[:MAX_BODY],
            author=None,
            base_ref=base_ref,
            base_sha=base_sha,
            head_ref=head or repository.branch() or head_sha[:12],
            head_sha=head_sha,
        ),
        files=files,
        commits=commits,
        base=base_side,
        head=head_side,
        differences=differences(base_side, head_side, files),
        settings=settings,
        settings_problems=problems,
        proposed_settings_problems=proposed,
        history=count(earlier(repository, base_sha, max_count=MAX_EARLIER)),
        gone=_gone(
            repository, head_sha, links_to_look_up(base_side.stores, head_side.stores, files)
        ),
        unread=tuple(dict.fromkeys((*unread, *unread_commits))),
    )


def _gone(repository: LocalRepository, sha: str, paths: Sequence[str]) -> frozenset[str]:
    """Those of some paths at which a commit has nothing."""
    there: set[str] = set()
    for entry in repository.entries(sha, paths):
        there |= {entry.path, *map(str, PurePosixPath(entry.path).parents)}
    return frozenset(paths) - there


def settings_at(
    repository: LocalRepository, tree: str
) -> tuple[RepositorySettings, tuple[Problem, ...]]:
    """The repository's settings as a commit has them, and what is wrong with them."""
    file = read_file(repository, tree, SETTINGS_PATH)
    if file is None:
        return RepositorySettings(), ()
    why = "it is a symbolic link, which is not followed" if file.is_symlink else file.unread
    if why is None:
        return parse(file.data)
    message = f"The settings were not read: {why}. The defaults apply."
    return RepositorySettings(), (Problem(path=SETTINGS_PATH, rule="unread", message=message),)


def _files(
    repository: LocalRepository, before: str, after: str
) -> tuple[tuple[ChangedFile, ...], tuple[Unread, ...]]:
    (diff,), large = with_unseen(repository, [compare(repository, before, after)])
    reasons = [(path, TOO_LARGE) for path in large]
    if not diff.complete:
        reasons.append(("some changes between base and head", TOO_MUCH))
    return diff.files, tuple(
        Unread(section=Section.SECRETS, what=what, why=why) for what, why in reasons
    )
