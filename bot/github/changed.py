"""The changed files of a pull request, with the lines that each adds.

Pages come first, for they have patches: up to 3,000 files. More comes from the trees, and so does
all of a difference that GitHub will not make.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.core.errors import GitHubError
from bot.core.report import Section, Unread
from bot.core.snapshot import ChangedFile
from bot.github.budget import Budget
from bot.github.diffs import is_refused, list_page, merge_base, remaining_pages
from bot.github.errors import HeadMoved, NotFound
from bot.github.first import First
from bot.github.installation import RepositoryAccess
from bot.github.lines import with_lines
from bot.github.listed import ListedFile, head_of_page, listed_files
from bot.github.tree_diff import completed, differing

EVERY_FILE: Final = (
    Section.APPLIES,
    Section.SECRETS,
    Section.MEMORY,
    Section.SYNC,
    Section.STALENESS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The changed files, and what of them was not read."""

    files: tuple[ChangedFile, ...] = ()
    unread: tuple[Unread, ...] = ()
    is_complete: bool = True  # False: more files changed than are known


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The first page of changed files; head is the commit that it speaks of, where it tells."""

    data: object
    head: str | None = None
    is_refused: bool = False  # GitHub will not make this difference


async def first_page(access: RepositoryAccess, number: int) -> Page:
    """Ask for the first page, before anything else is known of the pull request."""
    try:
        data = (await list_page(access, number, 1)).data
    except NotFound:
        return Page(data=None)
    except GitHubError as error:
        if not is_refused(error):
            raise
        return Page(data=None, is_refused=True)
    return Page(data=data, head=head_of_page(data))


async def changed_files(
    access: RepositoryAccess, first: First, page: Page, budget: Budget
) -> Changed:
    """The changed files and their lines, from the first page on. Raises HeadMoved, GitHubError."""
    listed, is_complete, before = await _listed(access, first, page)
    if not listed and not is_complete:
        why = "GitHub does not give this difference"
        unread = unread_of(EVERY_FILE, "the changed files", why)
        return Changed(unread=unread, is_complete=False)
    if before is None and any(file.needs_contents and file.status != "added" for file in listed):
        before = await merge_base(access, first.pull.base_sha, first.pull.head_sha)
    changed, unread = await with_lines(access, listed, before=before, budget=budget)
    if not is_complete:
        why = f"GitHub listed {len(listed):,} of {first.changed_files:,} files"
        unread += unread_of(EVERY_FILE, "the changed files", why)
    return Changed(files=changed, unread=unread, is_complete=is_complete)


async def _listed(
    access: RepositoryAccess, first: First, page: Page
) -> tuple[tuple[ListedFile, ...], bool, str | None]:
    """The files, whether they are all, and the commit that they are compared with, if asked for."""
    listed = listed_files(page.data)
    try:
        if page.data is not None:
            listed += await _more_pages(access, first)
            if len(listed) >= first.changed_files:
                return listed, True, None
        before = await merge_base(access, first.pull.base_sha, first.pull.head_sha)
        if before is None:
            return listed, False, None
        found, is_complete = await differing(access, before, first.pull.head_sha)
    except GitHubError as error:
        if not is_refused(error):
            raise
        return listed, False, None
    return completed(listed, found), is_complete, before


async def _more_pages(access: RepositoryAccess, first: First) -> tuple[ListedFile, ...]:
    """The files of the pages after the first; none where GitHub will not make the difference."""
    listed: tuple[ListedFile, ...] = ()
    try:
        replies = await remaining_pages(access, first.pull.number, first.changed_files)
    except GitHubError as error:
        if not is_refused(error):
            raise
        return ()
    for reply in replies:
        if (head := head_of_page(reply.data)) not in {None, first.pull.head_sha}:
            raise HeadMoved(first.pull.head_sha, str(head))
        listed += listed_files(reply.data)
    return listed


def unread_of(sections: Iterable[Section], what: str, why: str) -> tuple[Unread, ...]:
    """The same words for several sections."""
    return tuple(Unread(section=section, what=what, why=why) for section in sections)
