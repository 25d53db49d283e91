"""`python -m tests.chaos.sabotage HOW serve`: a bot that loses or doubles on purpose.

The checker has to find out. The product knows nothing of this.

ack: answers before a delivery is on disk. drop: does not do one job in twenty, and says it did.
double: makes one in twenty of its writes twice.
"""

import asyncio
import random
import sys
from collections.abc import Sequence
from typing import Any, Final

import bot.cli
from bot.github.installation import RepositoryAccess
from bot.handlers.jobs import Jobs
from bot.jobs.engine import Engine

HOW: Final = ("ack", "drop", "double")
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


def main(how: str, arguments: Sequence[str]) -> None:
    """Run the program, changed as `how` says."""
    {"ack": _acknowledge_first, "drop": _drop, "double": _double}[how]()
    bot.cli.main(arguments)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
