"""Read a pull request from GitHub into a snapshot, in as few requests as it takes.

First, at once: one GraphQL request (bot/github/first.py), the changed files, and the difference of
a newly pushed commit. Then only what is new: contents, further commits, stores above changed paths.
With a warm cache an ordinary push needs nothing more than the first.
"""

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.core.model import Problem
from bot.core.report import Section, Unread
from bot.core.repository_settings import SETTINGS_PATH, RepositorySettings
from bot.core.secret_names import new_paths
from bot.core.snapshot import Commit, Snapshot
from bot.core.staleness import links_to_look_up
from bot.formats.differences import differences
from bot.formats.discovery import candidate_roots
from bot.github.budget import Budget
from bot.github.cache import CommitDiff, KnownPull, PullKey
from bot.github.changed import Changed, Page, changed_files, first_page, unread_of
from bot.github.diffs import (
    commit_diff,
    keep_diff,
)
from bot.github.errors import HeadMoved, NotFound
from bot.github.first import First, read_first
from bot.github.installation import RepositoryAccess
from bot.github.published import Published, read_published
from bot.github.settings import governing, read_settings
from bot.github.sides import Sides, incomplete, read_sides
from bot.github.trees import MAX_ROOTS, look_up, missing_from, side_paths

_PAUSES: Final = (1.0, 2.0, None)  # seconds that GitHub is given to agree with itself
_NOTHING: Final = KnownPull(roots=("",), stores=("",), comment=None, commits=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A pull request as it is, and what we have published on it."""

    snapshot: Snapshot
    published: Published


async def load(
    access: RepositoryAccess,
    number: int,
    *,
    head: str | None = None,
    fingerprint_key: bytes = b"",
) -> Loaded:
    """Read a pull request and what stands on it.

    head: the head's sha, where a delivery told it; it saves a request, and what GitHub says now
    counts. Raises NotFound; HeadMoved when the head moves while it is read; RateLimited;
    GitHubError.
    """
    cache = access.installation.app.cache
    key = PullKey(installation=access.installation.id, full_name=access.full_name, number=number)
    known = cache.pulls.get(key) or _NOTHING
    budget = Budget()
    first, page = await _agreeing(access, number, head, known, budget)
    found = await governing(access, first.settings)
    settings = found.settings
    files = asyncio.ensure_future(changed_files(access, first, page, budget))
    changed, sides, with_diffs, published, proposed = await asyncio.gather(
        files,
        _sides(access, first, known, settings, files),
        _commits(access, first, files, budget),
        _published(access, first, known),
        _proposed_settings(access, first, files, found.defaults),
    )
    roots = candidate_roots(changed.files, settings.stores)
    cache.pulls.put(
        key,
        KnownPull(
            roots=roots if len(roots) <= MAX_ROOTS else tuple({"", *sides.stores}),
            stores=tuple({"", *sides.stores}),
            comment=published.comment.node_id if published.comment else None,
            commits=first.total_commits,
            folders=sides.folders,
        ),
        size=sum(len(path) + 60 for path in (*roots, *sides.folders)),
    )
    suspects = links_to_look_up(sides.base.stores, sides.head.stores, changed.files)
    lines, unread_commits = with_diffs
    unread = incomplete() if first.is_partial else ()
    snapshot = Snapshot(
        repository=first.repository,
        pull=first.pull,
        files=changed.files,
        commits=lines,
        base=sides.base,
        head=sides.head,
        differences=await asyncio.to_thread(differences, sides.base, sides.head, changed.files),
        settings=settings,
        settings_problems=found.problems,
        owners_settings_problems=found.owners_problems,
        proposed_settings_problems=proposed,
        gone=await missing_from(access, first.pull.head_sha, suspects),
        unread=tuple(dict.fromkeys((*unread, *changed.unread, *sides.unread, *unread_commits))),
        fingerprint_key=fingerprint_key,
    )
    return Loaded(snapshot=snapshot, published=published)


async def _agreeing(
    access: RepositoryAccess, number: int, head: str | None, known: KnownPull, budget: Budget
) -> tuple[First, Page]:
    """Ask until GraphQL and REST speak of one head, and know the one that the delivery named.

    A delivery may overtake GitHub's replicas: https://docs.github.com/en/webhooks says nothing of
    their order, and a new pull request may be unknown for a moment. Where they never tell of the
    head that the delivery named, git decides whether it was pushed over by force meanwhile: to
    review what a replica still shows would take comment and verdicts backwards.
    """
    paths = side_paths(known.roots, known.stores, known.folders)
    ask = partial(read_first, access, number, paths=paths, comment=known.comment)
    pushed = head if known.commits else None  # it has more than one commit now, as a rule
    for pause in _PAUSES:
        first, page, _ = await asyncio.gather(
            ask(head=head),
            first_page(access, number),
            _read_ahead(access, pushed, budget),
        )
        if first is not None and not _lags(first, page, head):
            return first, page
        if pause is not None:
            await access.installation.app.client.timing.sleep(pause)
    if first is None:
        raise NotFound(f"pull request {number} of {access.full_name}")
    if page.data is None and not page.is_refused:
        raise NotFound(f"the difference of pull request {number} of {access.full_name}")
    if page.head is not None and page.head != first.pull.head_sha:
        raise HeadMoved(first.pull.head_sha, page.head)
    by_ref = await ask(head=None) if head else first
    if by_ref is not None and not _lags(by_ref, page, None):
        return by_ref, page
    raise HeadMoved(first.pull.head_sha, (by_ref and by_ref.at_ref) or head or "")


async def _read_ahead(access: RepositoryAccess, pushed: str | None, budget: Budget) -> None:
    """Bring a pushed commit into the cache; the only one of a pull request needs no request.

    What it takes of the budget is given back: it is counted when the commit is read.
    """
    if pushed is None:
        return
    before = budget.added
    try:
        await commit_diff(access, pushed, budget=budget)
    except NotFound:  # not there yet, or pushed over by force
        return
    finally:
        budget.added = before


def _lags(first: First, page: Page, head: str | None) -> bool:
    if first.changed_files and not page.data and not page.is_refused:
        return True
    if page.head is not None and page.head != first.pull.head_sha:
        return True
    head = head or first.at_ref
    if head is None or head == first.pull.head_sha:
        return False
    return all(commit.sha != head for commit in first.commits)  # else it is merely newer


async def _proposed_settings(
    access: RepositoryAccess,
    first: First,
    files: asyncio.Future[Changed],
    defaults: RepositorySettings,
) -> tuple[Problem, ...] | None:
    """What is wrong with the head's settings file; None where the pull request writes none."""
    changed = (await files).files
    if all(file.path != SETTINGS_PATH or file.status == "removed" for file in changed):
        return None
    (listing,), _ = await look_up(access, [first.pull.head_sha], [SETTINGS_PATH])
    return (await read_settings(access, listing.get(SETTINGS_PATH), defaults))[1]


async def _commits(
    access: RepositoryAccess,
    first: First,
    files: asyncio.Future[Changed],
    budget: Budget,
) -> tuple[tuple[Commit, ...], tuple[Unread, ...]]:
    """The commits with their lines. The only one of a pull request has those of the whole."""
    if [commit.sha for commit in first.commits] == [first.pull.head_sha]:
        changed = await files  # what of them is unread is said of the files
        only = CommitDiff(files=changed.files, is_complete=changed.is_complete)
        if not changed.unread:
            keep_diff(access, first.pull.head_sha, only)
        return (with_diff(first.commits[0], only),), ()
    shas = [commit.sha for commit in first.commits]
    read = await asyncio.gather(*(commit_diff(access, sha, budget=budget) for sha in shas))
    unread = tuple(one for diff in read for one in diff.unread)
    if (lacking := first.total_commits - len(first.commits)) > 0:
        why = f"no more than {len(first.commits):,} commits are read"
        unread += unread_of([Section.SECRETS], f"{lacking:,} commits", why)
    commits = zip(first.commits, read, strict=True)
    return tuple(with_diff(commit, diff) for commit, diff in commits), unread


def with_diff(commit: Commit, diff: CommitDiff) -> Commit:
    """The commit with what it changes."""
    return replace(
        commit,
        parents=diff.parents,
        author=diff.author or commit.author,
        paths=tuple(sorted({path for file in diff.files for path in file.paths})),
        paths_known=diff.is_complete,
        new_paths=new_paths(diff.files),
        renames=tuple(
            (file.previous_path, file.path)
            for file in diff.files
            if file.status in {"renamed", "copied"} and file.previous_path
        ),
        added=tuple(block for file in diff.files for block in file.added),
    )


async def _sides(
    access: RepositoryAccess,
    first: First,
    known: KnownPull,
    settings: RepositorySettings,
    files: asyncio.Future[Changed],
) -> Sides:
    shas = (first.pull.base_sha, first.pull.head_sha)
    base, head, is_complete, deeper = first.base, first.head, True, first.unopened
    if base is None or head is None:
        paths, deeper = side_paths(known.roots, known.stores, known.folders), frozenset()
        (base, head), is_complete = await look_up(access, shas, paths)
    changed = (await files).files
    sides = await read_sides(
        access,
        shas=shas,
        known=(base, head),
        known_roots=known.roots,
        known_stores=known.stores,
        known_folders=known.folders,
        unopened=deeper,
        roots=candidate_roots(changed, settings.stores),
    )
    return sides if is_complete else replace(sides, unread=(*sides.unread, *incomplete()))


async def _published(access: RepositoryAccess, first: First, known: KnownPull) -> Published:
    """What stands there: asked for again where our comment is gone, or the head was another."""
    is_gone = known.comment is not None and first.published.comment is None
    if not is_gone and first.head is not None:
        return first.published
    published, head = await read_published(access, first.pull.number, head_sha=first.pull.head_sha)
    if head != first.pull.head_sha:
        raise HeadMoved(first.pull.head_sha, head)
    return published
