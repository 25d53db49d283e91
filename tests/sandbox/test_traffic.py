"""Counting requests and the waves in which they come."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable

import pytest

from bot.sandbox.traffic import Measure, Traffic


async def ask(traffic: Traffic, answer_after: float = 0.0) -> None:
    """A request to a server whose answer takes so many seconds."""
    exchange = traffic.begin("GET", "/")
    await asyncio.sleep(answer_after)
    await traffic.hold(exchange)
    traffic.finish(exchange, 200)


async def nothing(traffic: Traffic) -> None:
    pass


async def one_after_another(traffic: Traffic) -> None:
    for _ in range(3):
        await ask(traffic)


async def together(traffic: Traffic) -> None:
    await asyncio.gather(*(ask(traffic, delay) for delay in (0, 0.03, 0.005)))


async def two_beside_a_slow_one_then_one(traffic: Traffic) -> None:
    """However long one answer takes, what did not wait for it is of the same wave."""

    async def two() -> None:
        await ask(traffic)
        await ask(traffic)

    await asyncio.gather(two(), ask(traffic, 0.03))
    await ask(traffic)


@pytest.mark.parametrize(
    ("client", "requests", "depth"),
    [
        (nothing, 0, 0),
        (one_after_another, 3, 3),
        (together, 3, 1),
        (two_beside_a_slow_one_then_one, 4, 3),
    ],
)
async def test_depth_is_the_number_of_waves(
    client: Callable[[Traffic], Awaitable[None]], requests: int, depth: int
) -> None:
    traffic = Traffic()
    with Measure(traffic, latency=0.002) as measured:
        await client(traffic)
    assert (len(measured.requests), measured.depth) == (requests, depth)


async def test_a_client_that_is_kept_waiting_by_its_machine_is_waited_for() -> None:
    """What it means to send together stays together, though its loop stands still in between."""
    traffic = Traffic()
    served: list[asyncio.AbstractEventLoop] = []
    ready = threading.Event()

    def serve() -> None:
        served.append(asyncio.new_event_loop())
        served[0].call_soon(ready.set)
        served[0].run_forever()

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()

    def request() -> Awaitable[None]:
        return asyncio.wrap_future(asyncio.run_coroutine_threadsafe(ask(traffic), served[0]))

    with Measure(traffic, latency=0.002) as measured:
        first = request()
        time.sleep(0.05)  # noqa: ASYNC251 (the point of the test)
        await asyncio.gather(first, request())
    served[0].call_soon_threadsafe(served[0].stop)
    thread.join()
    served[0].close()
    assert (len(measured.requests), measured.depth) == (2, 1)


async def test_nothing_is_held_after_the_measure() -> None:
    traffic = Traffic()
    with Measure(traffic, latency=3600):
        exchange = traffic.begin("GET", "/")
    await traffic.hold(exchange)
    await ask(traffic)
