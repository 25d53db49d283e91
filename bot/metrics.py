"""The figures that Prometheus fetches, of one process.

No label holds what a stranger chose: events that we do not handle are "other", and there are no
names of repositories or people. The one set of labels that grows is the installations', bounded to
those whose budget is the tightest.
"""

import importlib.metadata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bot.github.limits import Rate
from bot.jobs.watch import Ending
from bot.store.overview import Backlog
from bot.store.pulls import PullKey

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
OTHER: Final = "other"
MAX_INSTALLATIONS: Final = 200  # whose budgets are shown: the tightest
_JOB_SECONDS: Final = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_VERDICT_SECONDS: Final = (0.5, 1, 2, 3, 5, 10, 20, 60, 300, 900, 3600)


class Metrics:
    """Counts what happens; `text` gives it out. It is a bot.jobs.watch.Watch."""

    def __init__(self, *, events: Iterable[str]) -> None:
        """events: the names under which deliveries are counted."""
        disable_created_metrics()  # type: ignore[no-untyped-call]  # they would double the series
        self._events = frozenset(events)
        self._registry = CollectorRegistry()
        self._state = _State()
        self._registry.register(self._state)
        ProcessCollector(registry=self._registry)
        self._deliveries = Counter(
            "memoryrail_deliveries",
            "Webhook deliveries, by what became of the request.",
            ("event", "outcome"),
            registry=self._registry,
        )
        self._attempts = Counter(
            "memoryrail_job_attempts",
            "Attempts at jobs: done, retried after a failure, limited (they wait), given up.",
            ("kind", "outcome"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "memoryrail_job_seconds",
            "How long an attempt at a job took.",
            ("kind",),
            buckets=_JOB_SECONDS,
            registry=self._registry,
        )
        self._verdicts = Histogram(
            "memoryrail_verdict_seconds",
            "From the arrival of a delivery until its pull request's checks are published.",
            buckets=_VERDICT_SECONDS,
            registry=self._registry,
        )
        self._requests = Counter(
            "memoryrail_github_requests",
            "Requests to GitHub, each repetition counted; status is none without an answer.",
            ("route", "status"),
            registry=self._registry,
        )

    def delivered(self, event: str, outcome: str) -> None:
        """Count a delivery. outcome: one of few words of ours."""
        self._deliveries.labels(event if event in self._events else OTHER, outcome).inc()

    def attempted(self, key: PullKey, ending: Ending, *, took: timedelta) -> None:
        """Count an attempt at a job."""
        kind = "repository" if key.is_repository else "pull_request"
        self._attempts.labels(kind, ending.value).inc()
        self._seconds.labels(kind).observe(took.total_seconds())

    def settled(self, key: PullKey, waited: Sequence[timedelta]) -> None:
        """Count how long the verdicts of a pull request took."""
        if not key.is_repository:
            for one in waited:
                self._verdicts.observe(one.total_seconds())

    def requested(self, route: str, status: int | None) -> None:
        """Count a request to GitHub."""
        self._requests.labels(route, "none" if status is None else str(status)).inc()

    def text(self, backlog: Backlog | None, rates: Mapping[int, Mapping[str, Rate]]) -> bytes:
        """Everything, in Prometheus's text format.

        backlog: None when the database is away. rates: of each installation, by GitHub's name of
        the limit.
        """
        self._state.backlog, self._state.rates = backlog, rates
        return generate_latest(self._registry)


class _State:
    """What is not counted but stands: asked for when the figures are fetched."""

    def __init__(self) -> None:
        self.backlog: Backlog | None = None
        self.rates: Mapping[int, Mapping[str, Rate]] = {}

    def collect(self) -> Iterator[Metric]:
        """The gauges."""
        version = GaugeMetricFamily(
            "memoryrail_build_info", "The version that runs.", labels=("version",)
        )
        version.add_metric((importlib.metadata.version("memoryrail-bot"),), 1)
        yield version
        yield GaugeMetricFamily(
            "memoryrail_database_up",
            "Whether the database answers.",
            value=0 if self.backlog is None else 1,
        )
        if self.backlog is not None:
            yield from _of_jobs(self.backlog)
        yield _of_rates(self.rates)


def _of_jobs(backlog: Backlog) -> Iterator[Metric]:
    jobs = GaugeMetricFamily(
        "memoryrail_jobs", "Jobs in the database, by where they stand.", labels=("state",)
    )
    for state in ("waiting", "delayed", "running", "given_up"):
        jobs.add_metric((state,), getattr(backlog, state))
    yield jobs
    yield GaugeMetricFamily(
        "memoryrail_queue_oldest_seconds",
        "How long ago the oldest job that has not ended might have begun.",
        value=backlog.oldest_ms / 1000,
    )


def _of_rates(rates: Mapping[int, Mapping[str, Rate]]) -> Metric:
    """The budgets that are in use: one whose window has ended is whole again."""
    left = GaugeMetricFamily(
        "memoryrail_github_rate_remaining",
        "What GitHub leaves an installation until its window ends: requests, for graphql points.",
        labels=("installation", "resource"),
    )
    now = datetime.now(UTC)
    current = [
        (rate.remaining, str(installation), resource)
        for installation, by_resource in rates.items()
        for resource, rate in by_resource.items()
        if rate.reset > now
    ]
    for remaining, installation, resource in sorted(current)[:MAX_INSTALLATIONS]:
        left.add_metric((installation, resource), remaining)
    return left
