"""A process that is killed loses nothing that it had acknowledged."""

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import pytest

from bot.store.deliveries import Outcome
from tests.jobs.conftest import Bench

SILENCE = timedelta(seconds=1)


@asynccontextmanager
async def victim(url: str, last_words: str, *, poll: float = 0.02) -> AsyncIterator[Process]:
    """A process that is killed when the block ends; it has said its last words when that begins."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.jobs.victim", url, f"{poll}", f"{SILENCE.total_seconds()}"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            async for line in process.stdout:
                if line.decode().strip() == last_words:
                    break
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


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
    async with victim(url, last_words, poll=poll):
        pass
    assert await bench.outcome("one") is Outcome.PENDING
    async with bench.engine(silence=SILENCE) as engine:
        await engine.idle()
    assert bench.work.runs == {1: 1}
    assert await bench.outcome("one") is Outcome.DONE
