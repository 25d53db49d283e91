"""`python -m tests.chaos.sabotage HOW serve`: a bot that loses or doubles on purpose.

The checker has to find out. The product knows nothing of this.

ack: answers before a delivery is on disk. drop: does not do one job in twenty, and says it did.
double: makes one in twenty of its writes twice. fork, draft: gives no verdict on such a pull
request. shared: judges each pull request as if it had its head alone. group: gives no verdict on a
group of the merge queue. edited, reopened: does not hear of it. stale: believes a conversation that
lags, and leaves what it said twice.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import bot.cli
from bot.core.snapshot import PullRequest
from bot.github import conversation, first, publish, published
from bot.github.installation import RepositoryAccess
from bot.handlers import pull_request
from bot.handlers.jobs import Jobs
from bot.handlers.loading import Loader
from bot.handlers.pull import PullJobs
from bot.handlers.repository_jobs import RepositoryJobs
from bot.jobs.engine import Engine

_ONE_IN: Final = 20
_LATE: Final = 0.5  # seconds

_late: set[asyncio.Task[Any]] = set()


def _acknowledge_first() -> None:
    receive = Engine.receive

    async def hasty(self: Engine, *arguments: Any) -> Any:
        async def later() -> None:
            await asyncio.sleep(_LATE)
            await receive(self, *arguments)

        task = asyncio.create_task(later())
        _late.add(task)
        task.add_done_callback(_late.discard)
        return True

    setattr(Engine, receive.__name__, hasty)


def _drop() -> None:
    work = Jobs.bring_up_to_date

    async def lazy(self: Jobs, *arguments: Any) -> None:
        if random.randrange(_ONE_IN):  # noqa: S311 - no secret
            await work(self, *arguments)

    setattr(Jobs, work.__name__, lazy)


def _double() -> None:
    mutate = RepositoryAccess.mutate

    async def twice(self: RepositoryAccess, request: Any) -> Any:
        if not random.randrange(_ONE_IN):  # noqa: S311 - no secret
            await mutate(self, request)
        return await mutate(self, request)

    setattr(RepositoryAccess, mutate.__name__, twice)


def _overlook(field: str) -> None:
    """Take pull requests of which the field is true for closed ones."""
    load = Loader.load

    async def blind(self: Loader, *arguments: Any) -> Any:
        loaded = await load(self, *arguments)
        pull: PullRequest = loaded.snapshot.pull
        seen = replace(pull, is_open=pull.is_open and not getattr(pull, field))
        return replace(loaded, snapshot=replace(loaded.snapshot, pull=seen))

    setattr(Loader, load.__name__, blind)


def _judge_alone() -> None:
    async def nobody(*_: Any) -> tuple[int, ...]:
        return ()

    setattr(PullJobs, PullJobs._shared_with.__name__, nobody)


def _skip_groups() -> None:
    async def idle(*_: Any) -> None:
        pass

    setattr(RepositoryJobs, RepositoryJobs._judge.__name__, idle)


def _miss(action: str) -> None:
    vars(pull_request)["WAKING"] = pull_request.WAKING - {action}


def _believe_stale_lists() -> None:
    """See one comment only where there are several, and now and then none."""
    ours = published.ours

    def oldest(*arguments: Any) -> Any:
        return ours(*arguments)[: min(1, random.randrange(_ONE_IN))]  # noqa: S311 - no secret

    for module in (conversation, first, publish, published):
        setattr(module, ours.__name__, oldest)


_SABOTAGE: Final[Mapping[str, Callable[[], None]]] = {
    "ack": _acknowledge_first,
    "drop": _drop,
    "double": _double,
    "fork": partial(_overlook, "is_fork"),
    "draft": partial(_overlook, "is_draft"),
    "shared": _judge_alone,
    "group": _skip_groups,
    "edited": partial(_miss, "edited"),
    "reopened": partial(_miss, "reopened"),
    "stale": _believe_stale_lists,
}
HOW: Final = tuple(_SABOTAGE)


def main(how: str, arguments: Sequence[str]) -> None:
    """Run the program, changed as `how` says."""
    _SABOTAGE[how]()
    bot.cli.main(arguments)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
