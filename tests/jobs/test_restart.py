"""A process that is killed loses nothing that it had acknowledged."""

import asyncio
import sys

import pytest

from bot.store.deliveries import Outcome
from tests.jobs.conftest import Bench


@pytest.mark.parametrize(
    ("last_words", "poll"),
    [
        pytest.param("kept", 3600, id="between acknowledgement and job"),
        pytest.param("begun", 0.02, id="in the middle of the job"),
    ],
)
async def test_the_next_process_does_the_job(
    bench: Bench, url: str, last_words: str, poll: float
) -> None:
    victim = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.jobs.victim", url, str(poll), stdout=asyncio.subprocess.PIPE
    )
    assert victim.stdout is not None
    async with asyncio.timeout(60):
        async for line in victim.stdout:
            if line.decode().strip() == last_words:
                break
    victim.kill()
    await victim.communicate()
    assert await bench.outcome("one") is Outcome.PENDING
    async with bench.engine() as engine:
        await engine.idle()
    assert bench.work.runs == {1: 1}
    assert await bench.outcome("one") is Outcome.DONE
