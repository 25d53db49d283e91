"""Runs targets over many inputs on two processes, and says which input was too much."""

import base64
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Final

from bot.core.errors import BotError
from tests.fuzz.inputs import make
from tests.fuzz.targets import TARGETS

PROCESSES: Final = 2
SLOW: Final = 2.0  # seconds of CPU that no input may take
_CHUNK: Final = 1_000  # inputs that a process takes at once
_STEPS: Final = 20  # lines of progress
_MAX_TOLD: Final = 10  # failures of a run; each kind is told once


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An input that raised what it must not, and where."""

    target: str
    number: int
    data: bytes
    problem: str
    place: str

    def __str__(self) -> str:
        shown = base64.b64encode(self.data).decode()
        return (
            f"FAIL  {self.target} {self.number}: {self.problem}\n"
            f"      at {self.place}\n"
            f"      python -m tests.fuzz --target {self.target} --input {shown}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A number of inputs that were run."""

    target: str
    count: int
    refused: int  # with an error of ours
    seconds: float  # of CPU
    failures: tuple[Failure, ...]


def fuzz(inputs: int, seed: int, say: Callable[[str], None], *, processes: int = PROCESSES) -> int:
    """Run so many inputs and report by say; the exit code is 1 when one of them failed.

    The last line counts them by target. processes 0: in this process.
    """
    say(f"seed {seed}")
    started = time.monotonic()
    counts, refused = Counter[str](), Counter[str]()
    seconds = dict.fromkeys(TARGETS, 0.0)
    told: set[tuple[str, str]] = set()
    done = failed = 0
    for one in _run(list(chunks(inputs, seed)), processes):
        counts[one.target] += one.count
        refused[one.target] += one.refused
        seconds[one.target] += one.seconds
        failed += len(one.failures)
        for failure in one.failures:
            kind = (failure.target, failure.place)
            if kind not in told and len(told) < _MAX_TOLD:
                told.add(kind)
                say(str(failure))
        before, done = done, done + one.count
        if done * _STEPS // inputs > before * _STEPS // inputs:
            say(f"{done:>11,} of {inputs:,}, {time.monotonic() - started:.0f} s")
    for name, count in counts.items():
        each = 1e6 * seconds[name] / count
        say(f"{name:>11}: {count:,} inputs, {refused[name]:,} refused, {each:.0f} µs each")
    shown = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    say(f"{done:,} inputs, {failed:,} failed: {shown}")
    return 1 if failed else 0


def chunks(inputs: int, seed: int) -> Iterator[tuple[str, int, int, int]]:
    """(target, seed, first, count) for all inputs, targets in turn so that progress is even."""
    shares = sum(target.share for target in TARGETS.values())
    left = {name: inputs * target.share // shares for name, target in TARGETS.items()}
    left[next(iter(left))] += inputs - sum(left.values())
    first = dict.fromkeys(left, 0)
    while any(left.values()):
        for name in [name for name in left if left[name]]:
            count = min(_CHUNK, left[name])
            yield name, seed, first[name], count
            left[name] -= count
            first[name] += count


def run_chunk(chunk: tuple[str, int, int, int]) -> Done:
    """Run some inputs of a target."""
    name, seed, first, count = chunk
    target = TARGETS[name]
    failures: list[Failure] = []
    refused = 0
    started = time.process_time()
    for number in range(first, first + count):
        outcome = run_input(name, make(target.inputs, f"{seed} {name} {number}"), number=number)
        if isinstance(outcome, Failure):
            failures.append(outcome)
        refused += outcome is True
    return Done(
        target=name,
        count=count,
        refused=refused,
        seconds=time.process_time() - started,
        failures=tuple(failures),
    )


def run_input(name: str, data: bytes, *, number: int = 0) -> Failure | bool:
    """Run one input of a target: whether it was refused, or how it failed."""
    started = time.process_time()
    refused = False
    problem = place = ""
    try:
        TARGETS[name].run(data)
    except BotError:
        refused = True
    except Exception as error:
        problem = f"{type(error).__name__}: {str(error)[:200]!r}"
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename}:{where.lineno} in {where.name}"
    took = time.process_time() - started
    if not problem and took > SLOW:
        problem, place = f"it took {took:.1f} s", "(slow)"
    if not problem:
        return refused
    return Failure(target=name, number=number, data=data, problem=problem, place=place)


def _run(work: list[tuple[str, int, int, int]], processes: int) -> Iterator[Done]:
    if not processes:
        yield from map(run_chunk, work)
        return
    with ProcessPoolExecutor(processes) as pool:  # a crash in native code ends it with an error
        yield from pool.map(run_chunk, work)
