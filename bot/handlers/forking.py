"""What `reappend` goes by: the entries that a branch found. Read only when somebody asks."""

from bot.commands.context import Fork
from bot.core.errors import GitHubError
from bot.core.model import TreeFile
from bot.core.snapshot import Snapshot
from bot.formats import cursor
from bot.github.answers import child, text
from bot.github.blobs import read_blobs
from bot.github.installation import RepositoryAccess
from bot.github.trees import look_up


async def fork_of(access: RepositoryAccess, snapshot: Snapshot) -> Fork:
    """Where the head left the tip of the base branch. Raises RateLimited, GitHubError."""
    pull = snapshot.pull
    path = f"/compare/{pull.base_sha}...{pull.head_sha}"
    sha = text(child((await access.get(path, per_page=1)).data, "merge_base_commit"), "sha")
    if not sha:
        raise GitHubError(f"GitHub does not say where pull request {pull.number} begins")
    roots = {one.root for one in snapshot.head.stores if one.format == cursor.NAME}
    folders = [folder for root in sorted(roots) for folder in cursor.marks(root)]
    if not folders:
        return Fork(base_ref=pull.base_ref, base_sha=pull.base_sha, files={})
    (listing,), is_complete = await look_up(access, [sha], folders)
    if not is_complete:
        raise GitHubError(f"GitHub did not give all of commit {sha[:12]}")
    found = {
        path: entry
        for path, entry in listing.items()
        if any(cursor.wanted(root, path) for root in roots)
    }
    blobs = await read_blobs(access, {entry.oid: entry.size for entry in found.values()})
    files = {
        path: TreeFile(
            path=path,
            oid=entry.oid,
            data=blobs[entry.oid].data,
            is_symlink=entry.is_symlink,
            unread=blobs[entry.oid].unread,
        )
        for path, entry in found.items()
    }
    return Fork(base_ref=pull.base_ref, base_sha=pull.base_sha, files=files)
