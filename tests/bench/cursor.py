"""How much CPU it takes to validate 10,000 entries in three files, start-up included.

    python -m tests.bench.cursor [ENTRIES]

Fails beyond MOST seconds, at the best of some runs: other programs slow a run down, never up.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.formats.cursor.making import entry

MOST: Final = 0.7  # seconds of CPU
_RUNS: Final = 5
_FILES: Final = (("session-handoff", "state"), ("decisions", "decision"), ("patterns", "pattern"))
_BODY: Final = (
    "The gateway owns the cache and its expiry rules. To get a page, ask `src/gateway/pages.py`, "
    "which asks the store only where its own copy is older than a minute.\n\n- tried: no copy\n"
)


def write(folder: Path, entries: int) -> None:
    """So many entries, spread over the three files."""
    for place, (stem, kind) in enumerate(_FILES):
        blocks = [
            entry(
                f"17453334{number:05}-0-{kind}",
                kind=kind,
                correlation_id=f"17453334{number:05}-0",
                summary=f"Pages come from the gateway, step {number}",
                tags="[gateway, pages]",
                body=_BODY,
            )
            for number in range(place, entries, len(_FILES))
        ]
        (folder / f"{stem}.md").write_text("# Log\n\n" + "\n".join(blocks), "utf-8")


def seconds(folder: Path) -> float:
    """CPU that one run takes, by the process alone."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "from bot.cli import main; main()", "cursor", "validate"]
    subprocess.run([*command, "--path", str(folder)], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def main(entries: int) -> int:
    """Measure and print; the exit code."""
    with TemporaryDirectory() as folder:
        write(Path(folder), entries)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        best = min(seconds(Path(folder)) for _ in range(_RUNS))
    print(f"{entries:,} entries in {size / 1e6:.1f} MB: {best:.2f} s of CPU, {MOST} at most")
    result = {"entries": entries, "bytes": size, "cpu_seconds": round(best, 3), "most": MOST}
    print(json.dumps(result))
    return int(best > MOST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
