"""How much CPU it takes to read 10,000 documents from disk, start-up included.

    python -m tests.bench.jumpybrain [DOCUMENTS]

Reading is all that precheck needs: fields, bodies, the paths that they name, and every rule. The
last line is JSON. Fails beyond MOST seconds, at the best of some runs: other programs slow a run
down, never up.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.formats.jumpybrain.layout import TYPE_OF
from tests.formats.jumpybrain.making import CONFIG, text

MOST: Final = 2.0  # seconds of CPU
_RUNS: Final = 3
_BODY: Final = (
    "\n# The gateway owns the cache\n\nIt owns the expiry rules, too. To get a page, ask "
    "`src/gateway/pages.py`, which asks the store only where its own copy is older than a minute."
    "\n\n- tried: no copy\n- see docs/gateway.md, section 3\n"
)
_READ: Final = (
    "import sys; from pathlib import Path; from bot.cli.project import stores; "
    "[store] = stores(Path(sys.argv[1]), ['']); "
    "assert len(store.memories) == int(sys.argv[2]) and not store.problems"
)


def write(folder: Path, documents: int) -> int:
    """So many documents, spread over the buckets; their size in bytes."""
    memory, size = folder / "memory", 0
    for bucket in TYPE_OF:
        (memory / bucket).mkdir(parents=True)
    (memory / "jumpybrain.json").write_bytes(CONFIG)
    buckets = list(TYPE_OF.items())
    for number in range(documents):
        bucket, type_ = buckets[number % len(buckets)]
        said = text(number, type=type_, title=f"Pages come from the gateway, {number}", body=_BODY)
        size += (memory / bucket / f"2026-10-10-{number:05}.md").write_text(said, "utf-8")
    return size


def seconds(folder: Path, documents: int) -> float:
    """CPU that one run takes, by the process alone."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", _READ, str(folder), str(documents)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def main(documents: int) -> int:
    """Measure and print; the exit code."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        size = write(folder, documents)
        best = min(seconds(folder, documents) for _ in range(_RUNS))
    print(f"{documents:,} documents in {size / 1e6:.1f} MB: {best:.2f} s of CPU, {MOST} at most")
    result = {"documents": documents, "bytes": size, "cpu_seconds": round(best, 3), "most": MOST}
    print(json.dumps(result))
    return int(best > MOST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
