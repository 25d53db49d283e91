from datetime import UTC, datetime, timedelta

from bot.github.limits import Rate
from bot.jobs.watch import Ending
from bot.metrics import MAX_INSTALLATIONS, Metrics
from bot.store.overview import Backlog
from bot.store.pulls import PullKey

PULL = PullKey(repository_id=7, number=3)
BACKLOG = Backlog(waiting=4, delayed=3, running=2, given_up=1, oldest_ms=1500)


def rate(remaining: int, *, minutes: int = 30) -> Rate:
    reset = datetime.now(UTC) + timedelta(minutes=minutes)
    return Rate(limit=5000, remaining=remaining, reset=reset)


def figures(metrics: Metrics, backlog: Backlog | None = BACKLOG) -> dict[str, float]:
    """What Prometheus would read, by series."""
    lines = metrics.text(backlog, {}).decode().splitlines()
    pairs = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    return {series: float(value) for series, _, value in pairs}


def test_what_happens_is_counted() -> None:
    metrics = Metrics(events=("push",))
    for _ in range(2):
        metrics.delivered("push", "accepted")
    metrics.requested("GET /app", 200)
    metrics.requested("GET /app", None)
    metrics.attempted(PULL, Ending.GIVEN_UP, took=timedelta(seconds=2))
    metrics.settled(PULL, [timedelta(seconds=4), timedelta(seconds=1.5)])
    metrics.settled(PullKey(repository_id=7, number=0), [timedelta(seconds=1)])
    shown = figures(metrics)
    expected = {
        'memoryrail_deliveries_total{event="push",outcome="accepted"}': 2,
        'memoryrail_github_requests_total{route="GET /app",status="200"}': 1,
        'memoryrail_github_requests_total{route="GET /app",status="none"}': 1,
        'memoryrail_job_attempts_total{kind="pull_request",outcome="given_up"}': 1,
        'memoryrail_job_seconds_bucket{kind="pull_request",le="2.5"}': 1,
        'memoryrail_job_seconds_bucket{kind="pull_request",le="1.0"}': 0,
        "memoryrail_verdict_seconds_sum": 5.5,
        "memoryrail_verdict_seconds_count": 2,
    }
    assert {series: shown.get(series) for series in expected} == expected
    assert shown["process_resident_memory_bytes"] > 0


def test_the_queue_is_shown_while_the_database_answers() -> None:
    metrics = Metrics(events=())
    shown = figures(metrics)
    assert shown["memoryrail_database_up"] == 1
    assert shown["memoryrail_queue_oldest_seconds"] == 1.5
    states = {"waiting": 4, "delayed": 3, "running": 2, "given_up": 1}
    assert {state: shown[f'memoryrail_jobs{{state="{state}"}}'] for state in states} == states
    away = figures(metrics, None)
    assert away["memoryrail_database_up"] == 0
    assert not [
        series for series in away if series.startswith(("memoryrail_jobs", "memoryrail_qu"))
    ]


def test_strangers_cannot_make_series() -> None:
    metrics = Metrics(events=("push",))
    before = len(figures(metrics))
    for number in range(100):
        metrics.delivered(f"event_{number}", "refused")
    shown = figures(metrics)
    assert len(shown) == before + 1
    assert shown['memoryrail_deliveries_total{event="other",outcome="refused"}'] == 100


def test_the_tightest_budgets_that_are_in_use_are_shown() -> None:
    rates = {
        number: {"core": rate(5000 - number), "graphql": rate(0, minutes=-1)}
        for number in range(MAX_INSTALLATIONS + 50)
    }
    text = Metrics(events=()).text(BACKLOG, rates).decode()
    lines = [line for line in text.splitlines() if line.startswith("memoryrail_github_rate")]
    assert len(lines) == MAX_INSTALLATIONS
    assert 'memoryrail_github_rate_remaining{installation="249",resource="core"} 4751.0' in lines
    assert "graphql" not in "".join(lines)


def test_two_bots_in_a_process_count_apart() -> None:
    first, second = Metrics(events=("push",)), Metrics(events=("push",))
    first.delivered("push", "accepted")
    assert 'memoryrail_deliveries_total{event="push",outcome="accepted"}' not in figures(second)
