"""`make bench-ingest`: how fast deliveries are made durable, beside probot, which keeps none.

A real `memoryrail-bot serve` on a SQLite file answers 202 when a delivery and its job are on disk;
probot 14 with a handler that does nothing answers when it has called it. Both get the same signed
`pull_request.synchronize` from the same client, in rounds of random order, each round in processes
just started, on one core that the client does not use. After each round the bot is killed and its
database counted: a delivery that was answered and is not there ends the benchmark.

A core's requests a second are requests by the server's own CPU time, so other load on the machine
shows in them least; ratios are taken within a round. Prints tables, and as the last line the same
figures as one JSON object.
"""

import json
import os
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.bench import deliveries, servers

ROUNDS: Final = 5
WARM_UP: Final = 1_500  # deliveries before those that count
COUNT: Final = 4_000
IN_FLIGHT: Final = 16
LOADS: Final = {"distinct pull requests": WARM_UP + COUNT, "pushes to 20 pull requests": 20}
FOLDER: Final = Path("build/bench-ingest")  # on the disk of this checkout
Row = Mapping[str, float]


def main() -> None:
    """Measure both servers under both loads."""
    version = servers.install_probot(FOLDER / "probot")
    bodies = {
        name: deliveries.pushes(WARM_UP + COUNT, pulls=pulls) for name, pulls in LOADS.items()
    }
    size = statistics.mean(map(len, bodies["distinct pull requests"])) / 1000
    print(f"{version}; {COUNT:,} deliveries of {size:.0f} KB a round, {IN_FLIGHT} in flight")
    rounds = [_round(bodies) for _ in range(ROUNDS)]
    found = {
        name: {key: _summary(rounds, key, name) for key in ("bot", "probot")} for name in LOADS
    }
    ratios = {name: _ratios(rounds, name) for name in LOADS}
    disk = _fsync_ms()
    _table(f"median [range] of {ROUNDS}", _COLUMNS)
    for name in LOADS:
        for server, row in found[name].items():
            _line(f"{server}, {name}", row.values())
    _table("bot / probot", _RATIOS)
    for name, ratio in ratios.items():
        _line(name, ratio.values())
    print(f"\nan fsync of this disk takes {disk:.2f} ms (median)")
    print(json.dumps({"ratios": ratios, "found": found, "fsync_ms": disk, "probot": version}))


_COLUMNS: Final = {
    "per_core": "req/s/core",
    "wall": "req/s",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "cores": "cores used",
    "peak_mib": "peak MiB",
}
_RATIOS: Final = {name: _COLUMNS[name] for name in ("per_core", "wall", "p99_ms")}


def _round(bodies: Mapping[str, Sequence[bytes]]) -> dict[tuple[str, str], Row]:
    turns = [(server, name) for server in ("bot", "probot") for name in bodies]
    random.shuffle(turns)
    rows = {}
    for server, name in turns:
        rows[server, name] = row = _bot(bodies[name]) if server == "bot" else _probot(bodies[name])
        shown = ", ".join(f"{title} {row[key]:.1f}" for key, title in _COLUMNS.items())
        print(f"{server}, {name}: {shown}", flush=True)
    return rows


def _probot(bodies: Sequence[bytes]) -> Row:
    requests = deliveries.requests(bodies, path="/api/github/webhooks")
    with servers.probot(FOLDER / "probot") as server:
        return _measured(server, requests)


def _bot(bodies: Sequence[bytes]) -> Row:
    requests = deliveries.requests(bodies, path="/webhook")
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        database = Path(folder).resolve() / "bot.sqlite"
        with servers.memoryrail(database) as server:
            row = _measured(server, requests)
        with sqlite3.connect(database) as connection:
            kept = connection.execute("SELECT COUNT(*) FROM deliveries").fetchone()[0]
        if kept != len(requests):
            raise SystemExit(f"{len(requests)} deliveries were answered, {kept} were kept")
    return row


def _measured(server: servers.Server, requests: Sequence[bytes]) -> Row:
    deliveries.send(server.port, requests[:WARM_UP], in_flight=IN_FLIGHT)
    cpu, began = server.cpu_seconds(), time.perf_counter()
    seconds = deliveries.send(server.port, requests[WARM_UP:], in_flight=IN_FLIGHT)
    wall, cpu = time.perf_counter() - began, server.cpu_seconds() - cpu
    return {
        "per_core": len(seconds) / cpu,
        "wall": len(seconds) / wall,
        "p50_ms": statistics.median(seconds) * 1000,
        "p99_ms": statistics.quantiles(seconds, n=100)[-1] * 1000,
        "cores": cpu / wall,
        "peak_mib": server.peak_mebibytes(),
    }


def _summary(
    rounds: Sequence[Mapping[tuple[str, str], Row]], server: str, name: str
) -> dict[str, list[float]]:
    return {key: _spread([one[server, name][key] for one in rounds]) for key in _COLUMNS}


def _ratios(rounds: Sequence[Mapping[tuple[str, str], Row]], name: str) -> dict[str, list[float]]:
    return {
        key: _spread([one["bot", name][key] / one["probot", name][key] for one in rounds])
        for key in _RATIOS
    }


def _spread(values: Sequence[float]) -> list[float]:
    """Median, least and most."""
    return [round(value, 3) for value in (statistics.median(values), min(values), max(values))]


def _table(title: str, columns: Mapping[str, str]) -> None:
    print(f"\n{title:<34}" + "".join(f"{column:>19}" for column in columns.values()))


def _line(title: str, spreads: Iterable[Sequence[float]]) -> None:
    print(f"{title:<34}" + "".join(f"{_shown(*spread):>19}" for spread in spreads))


def _shown(middle: float, least: float, most: float) -> str:
    digits = 0 if middle >= 100 else 1 if middle >= 10 else 2
    return f"{middle:.{digits}f} [{least:.{digits}f}-{most:.{digits}f}]"


def _fsync_ms() -> float:
    """What one page appended and brought to disk takes."""
    times = []
    with tempfile.TemporaryFile(dir=FOLDER) as file:
        for _ in range(200):
            began = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times), 3)


if __name__ == "__main__":
    main()
