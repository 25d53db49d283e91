"""`make bench-review`: from a delivery to its published checks, and the requests that it takes.

Prints a table, and as the last line the same figures as one JSON object. Times are wall clock with
the bot, GitHub's stand-in and git on the same machine, so compare them within one run only. The
pace at which an installation may write is not kept to: it would be the only thing to be seen.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot.sandbox import Sandbox
from bot.sandbox.state.pulls import PullRequest
from tests.scenarios.conftest import CODE, MEMORIES, Team, memory, synced, verdicts

PUSHES: Final = 100
DELAYS: Final = (timedelta(0), timedelta(milliseconds=100))
COLD_MEMORIES: Final = 1_000
SHOP: Final = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}


def main() -> None:
    """Measure ordinary pushes with and without a delay in GitHub's answers, and the requests."""
    rows = {f"{delay / timedelta(milliseconds=1):.0f} ms": _pushes(delay) for delay in DELAYS}
    requests = {"ordinary push": _ordinary(), "memory changed": _memory_changed()}
    requests[f"cold, {COLD_MEMORIES:,} memories"] = _cold()
    print(f"{f'{PUSHES} pushes':<24}{'p50 ms':>10}{'p99 ms':>10}")
    for name, row in rows.items():
        print(f"{f'each answer + {name}':<24}{row['p50_ms']:>10.0f}{row['p99_ms']:>10.0f}")
    print(f"\n{'GitHub is asked':<24}{'requests':>10}{'depth':>10}")
    for name, count in requests.items():
        print(f"{name:<24}{count['requests']:>10}{count['depth']:>10}")
    print(json.dumps({"times": rows, "requests": requests}))


def _pushes(delay: timedelta) -> dict[str, float]:
    times = []
    with _opened(dict(SHOP)) as (team, pull), team.github.measure(latency=delay):
        for number in range(PUSHES):
            started = time.perf_counter()
            pull.push(files={"src/api/a.py": f"{number + 1}\n"})
            team.settle()
            times.append((time.perf_counter() - started) * 1000)
    return {"p50_ms": statistics.median(times), "p99_ms": statistics.quantiles(times, n=100)[-1]}


def _ordinary() -> dict[str, int]:
    with _opened(dict(SHOP)) as (team, pull):
        return _counted(team, pull, {"src/api/a.py": "1\n"})


def _memory_changed() -> dict[str, int]:
    with _opened(dict(SHOP)) as (team, pull):
        new = memory("20260401-new", "decision", "Something new")
        return _counted(team, pull, {**new, "AGENTS.md": synced({**MEMORIES, **new})})


def _cold() -> dict[str, int]:
    files = {**CODE, ".memoryrail/config.json": '{"version": 1}'}
    for number in range(COLD_MEMORIES):
        body = "This is why, and at some length. " * 20
        files |= memory(f"20260101-m{number}", "decision", f"Number {number}", body)
    with _opened({**files, "AGENTS.md": synced(files)}) as (team, pull):
        team.stop()
        with team.github.measure() as measured:
            team.start()
            pull.push(files={"src/api/a.py": "1\n"})
            team.settle()
        return {"requests": len(measured.requests), "depth": measured.depth}


def _counted(team: Team, pull: PullRequest, files: dict[str, str | bytes]) -> dict[str, int]:
    with team.github.measure() as measured:
        pull.push(files=files)
        team.settle()
    if set(verdicts(pull).values()) != {"success"}:
        raise SystemExit(f"the push was not checked as it should be: {verdicts(pull)}")
    return {"requests": len(measured.requests), "depth": measured.depth}


@contextmanager
def _opened(files: dict[str, str]) -> Iterator[tuple[Team, PullRequest]]:
    """A bot that has checked a pull request, and knows the way."""
    with tempfile.TemporaryDirectory() as folder, Sandbox.start(Path(folder) / "github") as github:
        team = Team(github, f"sqlite:///{folder}/bot.sqlite")
        team.start()
        repository = team.repository(files)
        repository.branch("feature")
        repository.commit("feature", files={"src/api/a.py": "0\n"}, login="alice")
        pull = repository.open_pull(head="feature", user="alice")
        team.settle()
        pull.push(files={"src/api/b.py": "0\n"})
        team.settle()
        yield team, pull
        team.stop()


if __name__ == "__main__":
    main()
