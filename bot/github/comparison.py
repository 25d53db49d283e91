"""The files and commits between two commits, the later of which has the earlier as an ancestor.

A comparison lists 300 files at most. More come from the later commit itself where it stands right
upon the earlier one, up to 3,000; else from both trees, without patches.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.report import Section, Unread
from bot.github.answers import Json, child, children, number, text
from bot.github.diffs import MAX_FILES, PAGE
from bot.github.installation import RepositoryAccess
from bot.github.listed import ListedFile, Status, listed_files
from bot.github.snapshot import EVERY_FILE, unread_of

MAX_COMMITS: Final = 1000
_MAX_COMPARED: Final = 300  # files, on the first page alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What lies between two commits."""

    listed: tuple[ListedFile, ...]
    commits: tuple[Json, ...]  # as REST lists them, the oldest first
    before: str  # the commit with which the files are compared
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _TreeFile:
    oid: str
    is_submodule: bool


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
    (old, whole), (new, also_whole) = await asyncio.gather(
        _tree(access, before), _tree(access, head)
    )
    unread: tuple[Unread, ...] = ()
    if not (whole and also_whole):
        unread = unread_of(EVERY_FILE, "the changed files", "GitHub lists no tree that large")
    return tuple(_differing(old, new)), unread


async def _of_commit(access: RepositoryAccess, sha: str) -> tuple[tuple[ListedFile, ...], bool]:
    """What a commit changes against its first parent, and whether these are all files."""
    reply = await access.get(f"/commits/{sha}", per_page=PAGE)
    pages = [reply]
    while reply.next and len(pages) * PAGE < MAX_FILES:
        reply = await access.get(reply.next)
        pages.append(reply)
    listed = tuple(file for page in pages for file in listed_files(child(page.data).get("files")))
    return listed, reply.next is None and len(listed) < MAX_FILES


async def _tree(access: RepositoryAccess, sha: str) -> tuple[Mapping[str, _TreeFile], bool]:
    """All files of a commit, and whether GitHub listed all: it stops at 100,000."""
    data = (await access.get(f"/git/trees/{sha}", recursive=1)).data
    found = {
        text(item, "path"): _TreeFile(
            oid=text(item, "sha"), is_submodule=text(item, "type") == "commit"
        )
        for item in children(data, "tree")
        if text(item, "type") in {"blob", "commit"}
    }
    return found, child(data).get("truncated") is not True


def _differing(old: Mapping[str, _TreeFile], new: Mapping[str, _TreeFile]) -> Iterator[ListedFile]:
    """Every file that came, went, changed or moved as it is."""
    gone = {old[path].oid: path for path in sorted(old.keys() - new.keys(), reverse=True)}
    moved = set()
    for path, file in sorted(new.items()):
        known = old.get(path)
        if known is not None and known.oid == file.oid:
            continue
        origin = gone.get(file.oid) if known is None else None
        if origin is not None and origin not in moved:
            moved.add(origin)
            yield _listed(path, file, "renamed", previous_path=origin)
        else:
            yield _listed(path, file, "added" if known is None else "modified")
    for path in sorted(old.keys() - new.keys() - moved):
        yield _listed(path, old[path], "removed")


def _listed(
    path: str, file: _TreeFile, status: Status, *, previous_path: str | None = None
) -> ListedFile:
    """A submodule has no contents here: without an object id none are asked for."""
    return ListedFile(
        path=path,
        status=status,
        previous_path=previous_path,
        oid="" if file.is_submodule else file.oid,
        patch=None,
    )
