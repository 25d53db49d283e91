"""A maintainer decides on what could be seen when the comment was written, and on nothing newer.

Between the comment and its turn an agent may push, a rate limit may last an hour. So each memory
that a plan touches must be the same as at the last head whose verdicts were shown by then. Commit
dates say nothing of it: their authors write them.
"""

from functools import partial

from bot.commands.seen import NOT_SHOWN_YET, changed_since
from bot.core.edit_plan import EditPlan
from bot.core.errors import GitHubError
from bot.core.snapshot import Snapshot
from bot.formats.memoryrail.layout import is_memory_path
from bot.github.errors import NotFound
from bot.github.trees import look_up
from bot.handlers.turn import Turn
from bot.store import shown
from bot.store.database import Database


async def why_not_seen(
    turn: Turn, database: Database, snapshot: Snapshot, plan: EditPlan
) -> str | None:
    """Why a plan is not what its maintainer saw, in words; None when every memory is the same."""
    find = partial(shown.seen, key=turn.state.key, before_ms=turn.waiting.written_ms)
    seen = await database.transact(find)
    if seen == snapshot.pull.head_sha:
        return None
    if seen is None:
        return NOT_SHOWN_YET
    roots = [store.root for store in snapshot.head.stores]
    now = {
        edit.path: edit.expected_oid
        for edit in plan.edits
        if any(is_memory_path(root, edit.path) for root in roots)
    }
    if not now:  # blocks alone, which show what the memories say
        return None
    try:
        (listing,), is_complete = await look_up(turn.access, [seen], list(now))
    except NotFound:  # pushed away by force, and forgotten since
        return changed_since(list(now), seen)
    if not is_complete:
        raise GitHubError(f"GitHub did not give all of commit {seen[:12]}")
    seen_oids = {path: listing[path].oid if path in listing else None for path in now}
    changed = [path for path, oid in now.items() if seen_oids[path] != oid]
    return changed_since(changed, seen) if changed else None
