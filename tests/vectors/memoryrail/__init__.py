"""The operations of the MemoryRail format, version 1, as the README of its vectors has them.

Each takes the case's project, its arguments with every text put together, and the whole case. It
runs the code that the bot and the command line run, and says what came.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.core.errors import BotError
from tests.vectors.cases import MalformedError, only, plain
from tests.vectors.memoryrail.creating import created
from tests.vectors.memoryrail.finding import (
    find_project,
    link_applies,
    prechecked,
    ref,
    resolve_ref,
)
from tests.vectors.memoryrail.moving import approve, archive, reject, resolve_thread
from tests.vectors.memoryrail.project import CASE_KEYS, Project, failed
from tests.vectors.memoryrail.reading import config, lint, list_, list_proposals, read
from tests.vectors.memoryrail.staleness import stale
from tests.vectors.memoryrail.syncing import sync, sync_check, sync_same_block
from tests.vectors.verdict import Difference, Outcome, Verdict, judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What runs an operation, and its arguments."""

    run: Callable[[Project, Mapping[str, Any], Mapping[str, Any]], Outcome]
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()


def _operation(
    run: Callable[[Project, Mapping[str, Any], Mapping[str, Any]], Outcome],
    required: str = "",
    optional: str = "",
) -> Operation:
    return Operation(
        run=run, required=frozenset(required.split()), optional=frozenset(optional.split())
    )


_ANYWHERE: Final = frozenset({"now"})  # the clock matters to few operations, and hurts none
OPERATIONS: Final[Mapping[str, Operation]] = {
    "read": _operation(read, "id"),
    "lint": _operation(lint),
    "config": _operation(config),
    "find-project": _operation(find_project, "", "cwd"),
    "ref": _operation(ref, "id type"),
    "resolve-ref": _operation(resolve_ref, "ref"),
    "link-applies": _operation(link_applies, "link changed"),
    "precheck": _operation(prechecked, "", "plan files"),
    "approve": _operation(approve, "ref now"),
    "reject": _operation(reject, "ref", "now"),
    "archive": _operation(archive, "ref now"),
    "resolve": _operation(resolve_thread, "ref now"),
    "create": _operation(
        created, "type title author now", "body tags links pinned supersedes allow_secret"
    ),
    "stale": _operation(stale),
    "sync": _operation(sync, "", "target"),
    "sync-check": _operation(sync_check, "", "target"),
    "sync-same-block": _operation(sync_same_block, "files_b"),
    "list": _operation(list_),
    "list-proposals": _operation(list_proposals),
}


def run(case: Mapping[str, Any]) -> Verdict:
    """Run a case. Raises MalformedError for one that is not as the README describes."""
    operation = OPERATIONS.get(str(case.get("op")))
    if operation is None:
        problem = Difference(what="op", expected=f"one of {', '.join(OPERATIONS)}",
                             got=case.get("op"))  # fmt: skip
        return Verdict(differences=(problem,))
    only(case, CASE_KEYS, "the case")
    given = case.get("args", {})
    only(given, operation.required | operation.optional | _ANYWHERE, "args")
    if missing := sorted(operation.required - given.keys()):
        raise MalformedError(f"args lacks {', '.join(missing)}")
    args = {key: value if key == "files_b" else plain(value) for key, value in given.items()}
    project = Project(case.get("files", {}), case.get("env"))
    try:
        outcome = operation.run(project, args, case)
    except BotError as error:
        outcome = failed(error)
    return judged(plain(case.get("expect", {})), outcome)
