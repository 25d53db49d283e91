"""`make bench-stale`: how long it takes to find what is stale in a large repository.

50,000 commits, a tenth of them on branches that are merged, and 1,000 memories with 5 links each:
files, directories, renamed and missing ones. Prints a table, and as the last line the same figures
as one JSON object. Beside it, on a sample, one `git log -1` for each link: the way not taken.
"""

import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from bot.cli import project as projects
from bot.git.staleness import staleness
from tests.git.imports import Files, Import
from tests.git.worktree import CONFIG, WorkTree, memory

COMMITS: Final = 50_000
MEMORIES: Final = 1_000
LINKS: Final = 5  # of each memory
FILES: Final = 20_000
CHANGED: Final = 3  # files by a commit
SAMPLE: Final = 50  # links
START: Final = 1_600_000_000  # seconds since 1970, of the first commit
STEP: Final = 3_600  # seconds from one to the next
T = TypeVar("T")


def main() -> None:
    """Build the repository and measure."""
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    with tempfile.TemporaryDirectory() as folder:
        work = WorkTree(Path(folder).resolve())
        links = _memories(work, *_history(work))
        _, read = _measured(lambda: projects.find(work.path))
        project = projects.find(work.path)
        found, judge = _measured(lambda: staleness(project.root, project.store.memories))
        sample = Random(2).sample(links, SAMPLE)  # noqa: S311 - the same each time
        _, naive = _measured(
            lambda: [work.git("log", "-1", "--format=%ct", "--", link) for link in sample]
        )
    kinds = Counter(one.fault.value for one in found.stale)
    renamed = sum(one.renamed_to is not None for one in found.stale)
    each_by_itself = naive["wall_s"] / SAMPLE * len(links)
    rows = {"read": read, "judge": judge, f"git log -1 for {SAMPLE} links": naive}
    print(f"{COMMITS:,} commits, {MEMORIES:,} memories with {len(links):,} links: {dict(kinds)}")
    print(f"{'':<26}{'wall s':>8}{'CPU s':>8}")
    for name, row in rows.items():
        print(f"{name:<26}{row['wall_s']:>8.2f}{row['cpu_s']:>8.2f}")
    print(f"{'git log -1 for all':<26}{each_by_itself:>8.0f}")
    figures = {"commits": COMMITS, "links": len(links), **kinds, "renames_found": renamed}
    ratio = round(each_by_itself / judge["wall_s"], 1)
    print(json.dumps({**figures, "read": read, "judge": judge, "naive": naive, "ratio": ratio}))


def _history(work: WorkTree) -> tuple[list[str], list[str]]:
    """Commit by commit, most to a few busy files; the names at the end, and those given up."""
    chance = Random(1)  # noqa: S311
    names = [f"src/part{n % 40:02}/unit{n % 400:03}/file{n:05}.py" for n in range(FILES)]
    texts = [f"# file {n}\n" * 8 for n in range(FILES)]
    former = []
    history = Import()
    tip = history.commit({**dict(zip(names, texts, strict=True))}, at=START)
    side: int | None = None
    for number in range(1, COMMITS):
        at = START + number * STEP
        changes: Files = {}
        for _ in range(CHANGED):
            n = min(int(chance.paretovariate(0.4)), FILES) - 1
            texts[n] = f"{texts[n].partition('~')[0]}~{number}\n"
            changes[names[n]] = texts[n]
        if number % 100 == 55:  # a file is renamed
            n = chance.randrange(FILES)
            former.append(names[n])
            changes[names[n]] = None
            names[n] = f"lib/unit{n % 400:03}/moved{number:05}.py"
            changes[names[n]] = texts[n]
        if number % 10 == 0:  # a branch that the ninth commit after this one merges
            mine: Files = {f"docs/page{number % 700}.md": f"{number}\n"}
            side = history.commit(mine, at=at, parents=(tip,))
        elif number % 10 == 9 and side:
            tip = history.commit({**changes, **mine}, at=at, parents=(tip, side))
        else:
            tip = history.commit(changes, at=at, parents=(tip,))
    history.into(work, checks_out=True)
    return names, former


def _memories(work: WorkTree, names: list[str], former: list[str]) -> list[str]:
    """Write the memories; their links: mostly files, then directories, renamed and missing ones."""
    chance = Random(3)  # noqa: S311
    kinds: list[Callable[[], str]] = [
        lambda: chance.choice(names),
        lambda: chance.choice(names).rpartition("/")[0],
        lambda: f"docs/page{10 * chance.randrange(70)}.md",
        lambda: chance.choice(former),
        lambda: f"src/never{chance.randrange(1_000)}.py",
    ]
    work.write(".memoryrail/config.json", CONFIG)
    written = []
    for number in range(MEMORIES):
        links = [kind() for kind in chance.choices(kinds, weights=[70, 15, 8, 5, 2], k=LINKS)]
        id_ = f"20260101-{number:04}"
        updated = datetime.fromtimestamp(START + chance.randrange(COMMITS) * STEP, UTC)
        text = memory(id_).replace("2026-01-02T03:04:05.000Z", updated.isoformat())
        head, _, body = text.rpartition("---\n")
        work.write(
            f".memoryrail/memories/{id_}.md", f"{head}links: {json.dumps(links)}\n---\n{body}"
        )
        written += links
    return written


def _measured(run: Callable[[], T]) -> tuple[T, dict[str, float]]:
    """What a function gives, and its seconds: by the clock, and of CPU with its children's."""
    wall, cpu = time.perf_counter(), _cpu()
    result = run()
    wall, cpu = time.perf_counter() - wall, _cpu() - cpu
    return result, {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2)}


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    main()
