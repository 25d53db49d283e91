"""Changed files with their added lines: of a pull request, and of a single commit."""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeGuard, get_args
from urllib.parse import parse_qs, urlsplit

from bot.core.errors import GitHubError
from bot.core.patch import added_between, added_blocks, whole
from bot.core.report import Section, Unread
from bot.core.snapshot import Actor, AddedBlock, ChangedFile
from bot.github.answers import Json, child, children, number, rest_actor, text, text_or_none
from bot.github.blobs import MAX_TEXT_BYTES, Blob, read_blobs
from bot.github.cache import CommitDiff
from bot.github.client import Reply
from bot.github.errors import NotFound
from bot.github.installation import RepositoryAccess
from bot.github.trees import look_up

PAGE: Final = 100  # files a request, GitHub's most
MAX_FILES: Final = 3000  # that GitHub lists of one difference
# What GitHub answers when it cannot or will not make a difference; a retry has not helped.
_NO_DIFFERENCE: Final = frozenset({406, 422, 500, 502, 503, 504})

Status = Literal["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """A changed file as REST lists it. patch is None for what is binary, large or unchanged."""

    path: str
    status: Status
    previous_path: str | None
    oid: str
    changes: int
    patch: str | None = field(repr=False)


async def list_page(access: RepositoryAccess, number_: int, page: int) -> Reply:
    """One page of a pull request's files."""
    return await access.get(f"/pulls/{number_}/files", per_page=PAGE, page=page)


def listed_files(data: object) -> tuple[ListedFile, ...]:
    """The files of an answer, as GitHub orders them."""
    return tuple(_listed(item) for item in children(data) if text(item, "filename"))


def head_of_page(data: object) -> str | None:
    """The head that a page of files speaks of; None where it does not tell.

    The address of a removed file names the commit that still had it.
    """
    for item in children(data):
        values = parse_qs(urlsplit(text(item, "contents_url")).query).get("ref")
        if values and text(item, "status") != "removed":
            return values[0]
    return None


def needs_contents(file: ListedFile) -> bool:
    """Whether lines may hide behind a missing patch: large files, and texts declared binary."""
    if file.patch is not None or not file.oid or file.status in {"removed", "unchanged"}:
        return False
    return file.changes > 0 or file.status not in {"renamed", "copied"}


async def with_lines(
    access: RepositoryAccess, listed: Sequence[ListedFile], *, before: str | None
) -> tuple[tuple[ChangedFile, ...], tuple[Unread, ...]]:
    """Add the lines: from patches, else from the contents before and after. Order is by path.

    before: the commit that is compared with; None where every file is new.
    """
    bare = [file for file in listed if needs_contents(file)]
    old = await _contents_before(access, bare, before) if before else {}
    new = await _contents(access, bare)
    unread: list[Unread] = []
    files = []
    for file in sorted(listed, key=lambda file: file.path):
        added: tuple[AddedBlock, ...] = ()
        if file.patch is not None:
            added = added_blocks(file.path, file.patch)
        elif file in bare:
            added, why = _compare(file, old.get(_old_path(file)), new[file.oid])
            if why:
                unread.append(Unread(section=Section.SECRETS, what=file.path, why=why))
        files.append(
            ChangedFile(
                path=file.path,
                status=file.status,
                previous_path=file.previous_path,
                added=added,
            )
        )
    return tuple(files), tuple(unread)


async def merge_base(access: RepositoryAccess, base: str, head: str) -> str | None:
    """The commit from which GitHub computes a pull request's difference."""
    answer = await access.get(f"/compare/{base}...{head}", per_page=1)
    return text_or_none(child(answer.data, "merge_base_commit"), "sha")


async def commit_diff(
    access: RepositoryAccess,
    sha: str,
    *,
    net: Awaitable[tuple[tuple[ChangedFile, ...], object]] | None,
) -> CommitDiff:
    """Read what a commit changes against its first parent; from memory where it is known.

    net: the net difference, which stands for that of a merge too large for one page: of a merge
    only the lines that the net difference has count anyway.
    """
    if (known := access.installation.app.cache.commits.get(sha)) is not None:
        return known
    try:
        reply = await access.get(f"/commits/{sha}", per_page=PAGE)
        data = child(reply.data)
        parents = [text(parent, "sha") for parent in children(data, "parents")]
        if len(parents) > 1 and reply.next:
            files = (await net)[0] if net is not None else ()
            return CommitDiff(parents=len(parents), author=_author(data), files=files)
        pages = [reply]
        while reply.next and len(pages) * PAGE < MAX_FILES:
            reply = await access.get(reply.next)
            pages.append(reply)
    except GitHubError as error:
        return _unreadable(sha, error)
    listed = [file for page in pages for file in listed_files(child(page.data).get("files"))]
    files, unread = await with_lines(access, listed, before=parents[0] if parents else None)
    if reply.next:
        why = f"GitHub lists no more than {MAX_FILES:,} files"
        unread += (Unread(section=Section.SECRETS, what=f"commit {sha[:12]}", why=why),)
    diff = CommitDiff(parents=len(parents), author=_author(data), files=files, unread=unread)
    if not unread:
        keep_diff(access, sha, diff)
    return diff


def keep_diff(access: RepositoryAccess, sha: str, diff: CommitDiff) -> None:
    """Remember what a commit changes."""
    access.installation.app.cache.commits.put(sha, diff, _size(diff.files))


def _unreadable(sha: str, error: GitHubError) -> CommitDiff:
    if not isinstance(error, NotFound) and error.status not in _NO_DIFFERENCE:
        raise error
    why = "GitHub does not give its difference"
    unread = Unread(section=Section.SECRETS, what=f"commit {sha[:12]}", why=why)
    return CommitDiff(parents=1, author=None, files=(), unread=(unread,))


async def remaining_pages(access: RepositoryAccess, number_: int, total: int) -> tuple[Reply, ...]:
    """The pages of files after the first, all at once."""
    last = -(-min(total, MAX_FILES) // PAGE)
    pages = (list_page(access, number_, page) for page in range(2, last + 1))
    return tuple(await asyncio.gather(*pages))


def cannot_list(error: GitHubError) -> bool:
    """Whether GitHub will not give a difference, however often it is asked."""
    return error.status in _NO_DIFFERENCE


def _author(commit: Json) -> Actor | None:
    return rest_actor(child(commit, "author"))


def _listed(item: Json) -> ListedFile:
    status = text(item, "status")
    return ListedFile(
        path=text(item, "filename"),
        status=status if _is_status(status) else "changed",
        previous_path=text_or_none(item, "previous_filename"),
        oid=text(item, "sha"),
        changes=number(item, "changes"),
        patch=text_or_none(item, "patch"),
    )


def _is_status(status: str) -> TypeGuard[Status]:
    return status in get_args(Status)


async def _contents(access: RepositoryAccess, files: Iterable[ListedFile]) -> dict[str, Blob]:
    """The contents of the new files.

    A file of which GitHub counts no changed lines is binary to it: nearly always rightly so, and
    the wrong ones are small texts that .gitattributes declares binary. So only small ones are read.
    """
    files = tuple(files)
    texts = {file.oid: 0 for file in files if file.changes}
    binaries = {file.oid: 0 for file in files if not file.changes and file.oid not in texts}
    read, maybe = await asyncio.gather(
        read_blobs(access, texts), read_blobs(access, binaries, max_bytes=MAX_TEXT_BYTES)
    )
    return read | maybe


async def _contents_before(
    access: RepositoryAccess, files: Iterable[ListedFile], before: str
) -> dict[str, Blob]:
    paths = [_old_path(file) for file in files if file.status != "added"]
    if not paths:
        return {}
    (entries,), _ = await look_up(access, [before], paths)  # of what is missing, all lines count
    sizes = {entry.oid: entry.size for entry in entries.values()}
    blobs = await read_blobs(access, sizes)
    return {path: blobs[entry.oid] for path, entry in entries.items()}


def _old_path(file: ListedFile) -> str:
    return file.previous_path or file.path


def _compare(
    file: ListedFile, old: Blob | None, new: Blob
) -> tuple[tuple[AddedBlock, ...], str | None]:
    if new.data is None:
        return (), new.unread if file.changes and not new.is_binary else None
    after = new.data.decode(errors="replace")
    if file.status == "added" or old is None or old.data is None:
        return whole(file.path, after), None
    return added_between(file.path, old.data.decode(errors="replace"), after), None


def _size(files: Iterable[ChangedFile]) -> int:
    return sum(
        len(file.path) + 200 + sum(len(block.text) + 100 for block in file.added) for file in files
    )
