"""`make bench-precheck`: how long precheck takes over many memories and many changed files.

Memories of ordinary length from a made-up vocabulary in which, as in a language, few words are
common and most are rare. Prints a table, and as the last line the same figures as one JSON object.
The processor's time is beside the wall clock's, for a machine that has other work.
"""

import json
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import accumulate
from random import Random
from typing import Final, TypeVar

from bot.core.model import Memory, MemoryStore
from bot.core.precheck import Index, count
from tests.making import memory, store

MEMORIES: Final = 10_000
FILES: Final = 3_000
PARTS: Final = 400  # directories, a tenth of which the files lie in
WORDS: Final = 420  # of a memory, 2,760 characters or so
PLAN: Final = 160  # words
POOL: Final = 240  # words that one memory draws from, so that it repeats itself as texts do
VOCABULARY: Final = 30_000
# A language's commonest words, which tell nothing.
COMMON: Final = (
    "the of and to a in is it that for be this on with as not are or by an if from at when which "
    "all can we will has have but should may any one no must more than so what into only its "
    "there been up out also then each after before between because how where does same other "
    "both until over still too very now per why via such during under once here off again"
)
CHANGES: Final = 500  # earlier ones
RUNS: Final = 20
T = TypeVar("T")


def main() -> None:
    """Build the index, ask it, and follow the store to its next commit."""
    chance = Random(1)  # noqa: S311 - the same each time
    words = [*COMMON.split(), *map(_word, range(VOCABULARY))]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def some(number: int) -> list[str]:
        return chance.choices(chance.choices(words, cum_weights=weights, k=POOL), k=number)

    memories = [_memory(number, some(WORDS)) for number in range(MEMORIES)]
    first = store(*memories, texts=dict.fromkeys((one.path for one in memories), ""))
    plans = [" ".join(some(PLAN)) for _ in range(RUNS + CHANGES)]
    paths = [
        f"src/part{n % (PARTS // 10)}/{words[100 + n % 900]}_{words[100 + n % 7000]}/file{n}.py"
        for n in range(FILES)
    ]
    history = count((plan, paths[:20]) for plan in plans[RUNS:])
    before = _memory_used()
    index, cold = _timed(lambda: Index([first]))
    used = _memory_used() - before

    def asked(files: list[str]) -> dict[str, float]:
        times = [
            _timed(partial(index.matches, files, plan, history=history))[1] for plan in plans[:RUNS]
        ]
        return {name: statistics.median(row[name] for row in times) for name in times[0]}

    following = _next(first)
    rows = {
        "cold": cold,
        f"warm, {FILES:,} files": asked(paths),
        "warm, 10 files": asked(paths[:10]),
        "next commit": _timed(lambda: index.update([following]))[1],
    }
    reckoned = index.size >> 20
    print(f"{MEMORIES:,} memories of {WORDS} words: {used >> 20} MiB, by its reckoning {reckoned}")
    print(f"{'':<20}{'wall ms':>10}{'CPU ms':>10}")
    for name, row in rows.items():
        print(f"{name:<20}{row['wall_ms']:>10.1f}{row['cpu_ms']:>10.1f}")
    print(json.dumps({"memory_bytes": used, **rows}))


def _word(number: int) -> str:
    letters = "aeioubcdfghklmnprstvz"
    word = ""
    number += 500
    while number:
        number, digit = divmod(number, len(letters))
        word += letters[digit]
    return word


def _memory(number: int, words: list[str]) -> Memory:
    links = [f"src/part{number % PARTS}", f"src/part{number % PARTS}/file{number}.py"]
    return memory(f"m{number}", title=" ".join(words[:8]), links=links, body=" ".join(words))


def _next(one: MemoryStore) -> MemoryStore:
    """The store a commit later: equal memories, parsed again, and ten that are other ones."""
    again = [replace(each) for each in one.memories]
    again[:10] = [replace(each, title=f"{each.title} anew") for each in again[:10]]
    return replace(one, memories=tuple(again))


def _timed(act: Callable[[], T]) -> tuple[T, dict[str, float]]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = act()
    return result, {
        "wall_ms": (time.perf_counter() - wall) * 1000,
        "cpu_ms": (time.process_time() - cpu) * 1000,
    }


def _memory_used() -> int:
    """Bytes that the process has used at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
