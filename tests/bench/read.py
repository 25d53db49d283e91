"""`make bench-read`: what it takes to read 10,000 memory files in one process.

Prints a table, and as the last line the same figures as one JSON object. CPU seconds and resident
memory are those of a fresh process that finds the project and reads all of it. "Written as JSON"
are files as the format asks writers for, "any YAML" the same fields in other spellings.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

FILES: Final = 10_000
_BODY: Final = "Edge deploys need a small runtime, and the engine is too large for them. " * 12
_READ: Final = """\
import resource, sys, time
from pathlib import Path
from bot.cli import project
started = time.process_time()
found = project.find(Path(sys.argv[1]))
assert len(found.store.memories) == int(sys.argv[2]), found.store.problems[:3]
print(time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def main() -> None:
    """Measure both kinds of files, in a process of their own each."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("written as JSON", _as_json), ("any YAML", _as_yaml)):
            root = Path(folder, name.replace(" ", "-"))
            memories = root / ".memoryrail/memories"
            memories.mkdir(parents=True)
            (root / ".memoryrail/config.json").write_text('{"version": 1}')
            for number in range(FILES):
                id_ = f"20261010-memory-{number}"
                (memories / f"{id_}.md").write_text(text(id_, number))
            rows[name] = _measured(root)
    print(f"{'10,000 files':<18}{'CPU s':>8}{'resident MiB':>14}")
    for name, row in rows.items():
        print(f"{name:<18}{row['cpu_s']:>8.2f}{row['resident_mib']:>14.0f}")
    print(json.dumps(rows))


def _measured(root: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(root), str(FILES)],
        check=True,
        capture_output=True,
        text=True,
    )
    cpu, resident = map(float, done.stdout.split())
    return {"cpu_s": round(cpu, 3), "resident_mib": round(resident, 1)}


def _as_json(id_: str, number: int) -> str:
    return (
        f'---\nid: "{id_}"\ntype: "decision"\ntitle: "Use engine {number} over Prisma"\n'
        'status: "active"\ncreated: "2026-10-10T17:30:00.000Z"\n'
        'updated: "2026-10-10T17:30:00.000Z"\ntags: ["db", "edge"]\n'
        f'links: ["src/db/{number}", "docs"]\n---\n\n{_BODY}\n'
    )


def _as_yaml(id_: str, number: int) -> str:
    return (
        f"---\n# kept by hand\nid: {id_}\ntype: decision\ntitle: >-\n  Use engine {number}\n"
        "  over Prisma\nstatus: active\ncreated: 2026-10-10T17:30:00.000Z\n"
        "updated: '2026-10-10T17:30:00.000Z'\ntags:\n  - db\n  - edge\n"
        f"links: [src/db/{number}, docs]\nowner:\n  team: data\n---\n\n{_BODY}\n"
    )


if __name__ == "__main__":
    main()
