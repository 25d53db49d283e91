"""A maintainer decides on what could be seen when the comment was written, and on nothing newer.

Between the comment and its turn an agent may push, a rate limit may last an hour. So each memory
that a plan touches must be the same as at the last head whose verdicts were shown by then. Commit
dates say nothing of it: their authors write them.

Where we were stopped while we published, what was about to be shown may have been seen. The check
runs of the present head prove it, where GitHub has them. Else nothing may differ from it either.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from bot.commands.approve import names_all
from bot.commands.grammar import Command
from bot.commands.seen import NOT_SHOWN_YET, changed_since, other_base
from bot.core.edit_plan import EditPlan
from bot.core.errors import GitHubError
from bot.core.snapshot import Snapshot
from bot.formats.trees import is_memory_file
from bot.github.errors import NotFound
from bot.github.trees import look_up
from bot.handlers.turn import Turn
from bot.store import shown, shown_memories
from bot.store.database import Database
from bot.store.shown_memories import BASE_REF


async def why_other_base(
    turn: Turn, database: Database, snapshot: Snapshot, commands: Sequence[Command]
) -> str | None:
    """That the pull request has another base branch than its maintainer saw; None when it has not.

    Its author may choose another, and so have it propose more than was shown. That is nothing to
    commands which name what they approve.
    """
    if not any(map(names_all, commands)):
        return None
    find = partial(shown_memories.seen, key=turn.state.key, before_ms=turn.waiting.written_ms)
    seen, now = (await database.transact(find)).get(BASE_REF), snapshot.pull.base_ref
    return other_base(seen, now) if seen and seen != now else None


async def why_not_seen(
    turn: Turn,
    database: Database,
    snapshot: Snapshot,
    plan: EditPlan,
    *,
    shown_since: datetime | None,
) -> str | None:
    """Why a plan is not what its maintainer saw, in words; None when every memory is the same.

    shown_since: from when on GitHub has shown the present head's verdicts, if it does.
    """
    before_ms, head = turn.waiting.written_ms, snapshot.pull.head_sha
    find = partial(shown.seen, key=turn.state.key, before_ms=before_ms)
    seen = await database.transact(find)
    others = {sha: at for sha, at in seen.perhaps.items() if sha != head}
    last_ms = max([seen.shown_ms, *others.values()])
    proved_ms = int(shown_since.timestamp() * 1000) if shown_since else 0
    if last_ms < proved_ms < before_ms:
        return None
    if seen.head_sha is None:
        return NOT_SHOWN_YET
    for sha in sorted({seen.head_sha, *others} - {head}):
        if why := await _why_not_the_same(turn, snapshot, plan, sha):
            return why
    return None


async def _why_not_the_same(
    turn: Turn, snapshot: Snapshot, plan: EditPlan, seen: str
) -> str | None:
    now = {
        edit.path: edit.expected_oid
        for edit in plan.edits
        if any(is_memory_file(store, edit.path) for store in snapshot.head.stores)
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
