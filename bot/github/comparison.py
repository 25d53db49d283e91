"""The files and commits between two commits, the later of which has the earlier as an ancestor.

A comparison lists 300 files at most. More come from the later commit itself where it stands right
upon the earlier one, up to 3,000; else from both trees, without patches.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

from bot.core.report import Section, Unread
from bot.github.answers import Json, child, children, number, text
from bot.github.changed import EVERY_FILE, unread_of
from bot.github.diffs import MAX_FILES, PAGE
from bot.github.installation import RepositoryAccess
from bot.github.listed import ListedFile, listed_files
from bot.github.tree_diff import differing

MAX_COMMITS: Final = 1000
_MAX_COMPARED: Final = 300  # files, on the first page alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What lies between two commits."""

    listed: tuple[ListedFile, ...]
    commits: tuple[Json, ...]  # as REST lists them, the oldest first
    before: str  # the commit with which the files are compared
    unread: tuple[Unread, ...] = ()


async def compare(access: RepositoryAccess, base: str, head: str) -> Comparison:
    """Compare two commits. Raises NotFound when one is not there; RateLimited; GitHubError."""
    path = f"/compare/{base}...{head}"
    reply = await access.get(path, per_page=PAGE, page=1)
    first = child(reply.data)
    total = number(first, "total_commits")
    last = -(-min(total, MAX_COMMITS) // PAGE)
    more = await asyncio.gather(
        *(access.get(path, per_page=PAGE, page=page) for page in range(2, last + 1))
    )
    commits = [one for page in (reply, *more) for one in children(child(page.data), "commits")]
    before = text(child(first, "merge_base_commit"), "sha") or base
    listed = listed_files(first.get("files"))
    unread: tuple[Unread, ...] = ()
    if len(listed) >= _MAX_COMPARED:
        listed, unread = await _more_files(access, before, head, commits)
    if (lacking := total - len(commits)) > 0:
        why = f"no more than {len(commits):,} commits are read"
        unread += unread_of([Section.SECRETS], f"{lacking:,} commits", why)
    return Comparison(listed=listed, commits=tuple(commits), before=before, unread=unread)


async def _more_files(
    access: RepositoryAccess, before: str, head: str, commits: list[Json]
) -> tuple[tuple[ListedFile, ...], tuple[Unread, ...]]:
    parents = [
        text(parent, "sha")
        for commit in commits
        if text(commit, "sha") == head
        for parent in children(commit, "parents")
    ]
    if parents[:1] == [before]:
        listed, is_complete = await _of_commit(access, head)
        if is_complete:
            return listed, ()
    found, is_complete = await differing(access, before, head)
    unread: tuple[Unread, ...] = ()
    if not is_complete:
        unread = unread_of(EVERY_FILE, "the changed files", "GitHub lists no tree that large")
    return found, unread


async def _of_commit(access: RepositoryAccess, sha: str) -> tuple[tuple[ListedFile, ...], bool]:
    """What a commit changes against its first parent, and whether these are all files."""
    reply = await access.get(f"/commits/{sha}", per_page=PAGE)
    pages = [reply]
    while reply.next and len(pages) * PAGE < MAX_FILES:
        reply = await access.get(reply.next)
        pages.append(reply)
    listed = tuple(file for page in pages for file in listed_files(child(page.data).get("files")))
    return listed, reply.next is None and len(listed) < MAX_FILES
