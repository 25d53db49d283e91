"""What `undo` would take back: read only when somebody asks for it.

A commit counts as ours when GitHub says so, its signature is valid, and the audit of this pull
request names it. One that was undone is passed over, and so is the undoing, so undoing twice goes
back two steps.
"""

from functools import partial

from bot.commands.context import OwnChange, OwnCommit
from bot.core.edit_plan import reverted
from bot.core.errors import GitHubError
from bot.core.model import TreeFile
from bot.core.snapshot import Commit, Snapshot
from bot.github.blobs import read_blobs
from bot.github.installation import RepositoryAccess
from bot.github.own_commits import parent_of
from bot.github.trees import Listing, look_up
from bot.handlers.turn import Turn
from bot.store import audit
from bot.store.database import Database


async def last_commit(turn: Turn, database: Database, snapshot: Snapshot) -> OwnCommit | None:
    """The last commit of commands that still stands; None when there is none to undo.

    Raises RateLimited, GitHubError.
    """
    ours = await database.transact(partial(audit.commits, key=turn.state.key))
    standing: list[Commit] = []
    for commit in snapshot.commits:
        if commit.is_ours and commit.sha in ours:
            undone = reverted(commit.message)
            standing = [one for one in standing if one.sha != undone]
            if not undone:
                standing.append(commit)
    if not standing:
        return None
    last = standing[-1]
    return await _read(turn.access, last, snapshot, at_ms=ours[last.sha])


async def _read(
    access: RepositoryAccess, commit: Commit, snapshot: Snapshot, *, at_ms: int
) -> OwnCommit:
    """What a commit changed, and what of it stands at the head."""
    subject = commit.message.partition("\n")[0]
    if commit.is_merge:
        return OwnCommit(sha=commit.sha, at_ms=at_ms, subject=subject, changes=(), is_merge=True)
    if not commit.paths_known:
        raise GitHubError(f"GitHub does not say what commit {commit.sha[:12]} changed")
    parent = await parent_of(access, commit.sha)
    shas = (parent, commit.sha, snapshot.pull.head_sha)
    (before, after, now), is_complete = await look_up(access, shas, commit.paths)
    if not is_complete:
        raise GitHubError(f"GitHub did not give all of commit {commit.sha[:12]}")
    was = {path: before[path] for path in commit.paths if path in before}
    blobs = await read_blobs(access, {entry.oid: entry.size for entry in was.values()})
    files = {
        path: TreeFile(path=path, oid=entry.oid, data=blobs[entry.oid].data)
        for path, entry in was.items()
        if not entry.is_symlink
    }
    return OwnCommit(
        sha=commit.sha,
        at_ms=at_ms,
        subject=subject,
        changes=tuple(
            OwnChange(
                path=path,
                before=files.get(path),
                after_oid=_oid(after, path),
                now_oid=_oid(now, path),
            )
            for path in commit.paths
        ),
    )


def _oid(listing: Listing, path: str) -> str | None:
    return listing[path].oid if path in listing else None
