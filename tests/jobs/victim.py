"""A process to be killed: `python -m tests.jobs.victim URL POLL_SECONDS [SILENCE_SECONDS]`.

It receives one delivery, says "kept" once that is durable and "begun" once the job runs, and never
ends by itself.
"""

import asyncio
import sys
from datetime import timedelta

from bot.jobs.engine import SILENCE, Engine
from bot.store.claims import Claim
from bot.store.database import Database
from bot.store.pulls import Failure
from tests.jobs.conftest import delivery, wake


async def main(url: str, poll: timedelta, silence: timedelta = SILENCE) -> None:
    async def work(_claim: Claim) -> None:
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        await asyncio.Future()

    async def give_up(_claim: Claim, _failure: Failure) -> None:
        raise AssertionError

    async with Engine(
        Database(url), work=work, give_up=give_up, poll=poll, silence=silence
    ) as engine:
        await engine.receive(delivery("one"), [wake()])
        sys.stdout.write("kept\n")
        sys.stdout.flush()
        await asyncio.Future()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *(timedelta(seconds=float(each)) for each in sys.argv[2:])))
