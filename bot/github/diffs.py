"""The difference of a pull request, page by page, and that of a single commit."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from bot.core.errors import GitHubError
from bot.core.patch import size_of
from bot.core.report import Section, Unread
from bot.core.snapshot import ChangedFile
from bot.github.answers import child, children, rest_actor, text, text_or_none
from bot.github.budget import TOO_MUCH, Budget
from bot.github.cache import CommitDiff
from bot.github.client import Reply
from bot.github.installation import RepositoryAccess
from bot.github.lines import own_changes, with_lines
from bot.github.listed import ListedFile, listed_files
from bot.github.tree_diff import completed, differing

PAGE: Final = 100  # files a request, GitHub's most
MAX_FILES: Final = 3000  # that GitHub lists of one difference
_MAX_COMPARED: Final = 300  # files of a comparison, which has no further pages of them
_REFUSED: Final = frozenset({406, 422})  # GitHub will not make the difference: it is too large


async def list_page(access: RepositoryAccess, number_: int, page: int) -> Reply:
    """One page of a pull request's files."""
    return await access.get(f"/pulls/{number_}/files", per_page=PAGE, page=page)


async def remaining_pages(access: RepositoryAccess, number_: int, total: int) -> tuple[Reply, ...]:
    """The pages of files after the first, all at once."""
    last = -(-min(total, MAX_FILES) // PAGE)
    pages = (list_page(access, number_, page) for page in range(2, last + 1))
    return tuple(await asyncio.gather(*pages))


def is_refused(error: GitHubError) -> bool:
    """Whether GitHub will not give a difference, however often it is asked."""
    return error.status in _REFUSED


async def merge_base(access: RepositoryAccess, base: str, head: str) -> str | None:
    """The commit from which GitHub computes a pull request's difference."""
    answer = await access.get(f"/compare/{base}...{head}", per_page=1)
    return text_or_none(child(answer.data, "merge_base_commit"), "sha")


async def commit_diff(access: RepositoryAccess, sha: str, *, budget: Budget) -> CommitDiff:
    """Read what a commit changes against its first parent; from memory where it is known.

    Of a merge, what differs from all its parents: the rest came with one of them. Raises
    GitHubError, unless GitHub says that it will not make the difference.
    """
    if (known := access.installation.app.cache.commits.get(sha)) is not None:
        return known if _fits(known, budget) else _without_lines(known)
    try:
        reply = await access.get(f"/commits/{sha}", per_page=PAGE)
        data = child(reply.data)
        parents = [text(parent, "sha") for parent in children(data, "parents")]
        listed, is_complete = await _files_of(access, sha, parents, reply)
        if not is_complete:
            found, is_complete = await differing(access, parents[0] if parents else None, sha)
            listed = completed(listed, found)
    except GitHubError as error:
        if not is_refused(error):
            raise
        why = "GitHub does not give its difference"
        return CommitDiff(files=(), unread=(_unread(sha, why),), is_complete=False)
    if len(parents) > 1:
        files, unread = await own_changes(access, listed, parents=parents, budget=budget)
    else:
        before = parents[0] if parents else None
        files, unread = await with_lines(access, listed, before=before, budget=budget)
    if not is_complete:
        unread += (_unread(sha, f"GitHub lists no more than {len(listed):,} of its files"),)
    diff = CommitDiff(
        files=files,
        parents=len(parents),
        author=rest_actor(child(data, "author")),
        unread=unread,
        is_complete=is_complete,
    )
    if not unread:
        keep_diff(access, sha, diff)
    return diff


def keep_diff(access: RepositoryAccess, sha: str, diff: CommitDiff) -> None:
    """Remember what a commit changes."""
    access.installation.app.cache.commits.put(sha, diff, _size(diff.files))


async def _files_of(
    access: RepositoryAccess, sha: str, parents: Sequence[str], reply: Reply
) -> tuple[tuple[ListedFile, ...], bool]:
    """The files of a commit from its first page on, and whether they are all.

    What a merge itself changes differs from either parent. So where the difference to the first
    is long, as in a branch that takes over months of its base, that to the second will do.
    """
    if len(parents) == 2 and reply.next:
        compared = child((await access.get(f"/compare/{parents[1]}...{sha}", per_page=1)).data)
        listed = listed_files(compared.get("files"))
        if len(listed) < _MAX_COMPARED:
            return listed, True
    pages = [reply]
    while reply.next and len(pages) * PAGE < MAX_FILES:
        reply = await access.get(reply.next)
        pages.append(reply)
    found = tuple(file for page in pages for file in listed_files(child(page.data).get("files")))
    return found, reply.next is None and len(found) < MAX_FILES


def _fits(diff: CommitDiff, budget: Budget) -> bool:
    return budget.take(block for file in diff.files for block in file.added)


def _without_lines(diff: CommitDiff) -> CommitDiff:
    files = tuple(
        ChangedFile(path=file.path, status=file.status, previous_path=file.previous_path)
        for file in diff.files
    )
    return CommitDiff(
        files=files, parents=diff.parents, author=diff.author, unread=(*diff.unread, TOO_MUCH)
    )


def _unread(sha: str, why: str) -> Unread:
    return Unread(section=Section.SECRETS, what=f"commit {sha[:12]}", why=why)


def _size(files: Iterable[ChangedFile]) -> int:
    return sum(len(file.path) + 200 + 2 * size_of(file.added) for file in files)
