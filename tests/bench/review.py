"""`make bench-review`: from a delivery to its published checks, and the requests that it takes.

Prints a table, and as the last line the same figures as one JSON object. Times are wall clock with
the bot, GitHub's stand-in and git on the same machine, so compare them within one run only.
"""

import json
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot.sandbox import Sandbox
from tests.scenarios.conftest import CODE, MEMORIES, Team, synced

PUSHES: Final = 20
SHOP: Final = {**CODE, **MEMORIES, "AGENTS.md": synced(MEMORIES)}


def main() -> None:
    """Measure ordinary pushes with and without a delay in GitHub's answers."""
    rows = {f"{delay} ms": _measure(timedelta(milliseconds=delay)) for delay in (0, 100)}
    print(f"{'GitHub answers after':<22}{'p50 ms':>8}{'p95 ms':>8}{'requests':>10}{'depth':>7}")
    for name, row in rows.items():
        figures = f"{row['p50_ms']:>8.0f}{row['p95_ms']:>8.0f}"
        print(f"{name:<22}{figures}{row['requests']:>10.0f}{row['depth']:>7.0f}")
    print(json.dumps(rows))


def _measure(delay: timedelta) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, Sandbox.start(Path(folder) / "github") as github:
        team = Team(github, Path(folder))
        team.start()
        repository = team.repository(SHOP)
        repository.branch("feature")
        repository.commit("feature", files={"src/api/a.py": "0\n"}, login="alice")
        pull = repository.open_pull(head="feature", user="alice")
        team.settle()
        times, requests, depths = [], [], []
        for number in range(PUSHES):
            with github.measure(latency=delay) as measured:
                started = time.perf_counter()
                pull.push(files={"src/api/a.py": f"{number + 1}\n"})
                team.settle()
                times.append((time.perf_counter() - started) * 1000)
            requests.append(len(measured.requests))
            depths.append(measured.depth)
        team.stop()
    return {
        "p50_ms": statistics.median(times),
        "p95_ms": statistics.quantiles(times, n=20)[-1],
        "requests": statistics.median(requests),
        "depth": statistics.median(depths),
    }


if __name__ == "__main__":
    main()
