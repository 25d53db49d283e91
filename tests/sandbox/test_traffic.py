"""Counting waves of requests."""

import pytest

from bot.sandbox.traffic import Exchange, Measure, Traffic


@pytest.mark.parametrize(
    ("spans", "depth"),
    [
        pytest.param([], 0, id="none"),
        pytest.param([(0, 1), (2, 3), (4, 5)], 3, id="one after another"),
        pytest.param([(0, 5), (1, 6), (2, 7)], 1, id="all together"),
        pytest.param([(0, 5), (1, 2), (3, 4), (6, 7)], 3, id="two beside a long one, then one"),
        pytest.param([(0, 1), (2, None)], 1, id="one is not answered yet"),
    ],
)
def test_depth_is_the_longest_chain_of_requests(
    spans: list[tuple[float, float | None]], depth: int
) -> None:
    traffic = Traffic()
    with Measure(traffic, latency=0.0) as measured:
        traffic.requests += [
            Exchange(method="GET", path="/", started=start, finished=end) for start, end in spans
        ]
    assert (len(measured.requests), measured.depth) == (len(spans), depth)


def test_the_latency_ends_with_the_measure() -> None:
    traffic = Traffic()
    with Measure(traffic, latency=0.5):
        traffic.begin("GET", "/")
        assert traffic.time_to_hold() > 0
    assert traffic.time_to_hold() <= 0
