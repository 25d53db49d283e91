"""The fuzzer itself: the same inputs for a seed, and a failure that can be run again."""

import base64
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.core.errors import UserError
from tests.fuzz import runner
from tests.fuzz.inputs import MAX_BYTES, make
from tests.fuzz.runner import Failure, chunks, fuzz, run_input
from tests.fuzz.samples import SAMPLES
from tests.fuzz.targets import TARGETS, Target

ROOT = Path(__file__).parents[2]


def test_every_target_takes_some_inputs_and_none_fails() -> None:
    lines: list[str] = []
    assert fuzz(580, 7, lines.append, processes=0) == 0
    assert lines[0] == "seed 7"
    assert lines[-1].startswith("580 inputs, 0 failed: read 100, edit 70, move 40, ")
    assert sum("inputs, " in line and "refused" in line for line in lines) == len(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_good_inputs_are_good(name: str) -> None:
    """What is damaged is worth damaging: most samples are taken as they are."""
    outcomes = [run_input(name, data) for data in TARGETS[name].inputs.whole]
    assert not [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    assert outcomes.count(False) * 2 > len(outcomes)


def test_a_seed_makes_the_same_inputs_and_each_number_another() -> None:
    for grammar in SAMPLES.values():
        made = [make(grammar, f"1 x {number}") for number in range(200)]
        assert made == [make(grammar, f"1 x {number}") for number in range(200)]
        assert len(set(made)) > 100
        assert max(map(len, made)) <= MAX_BYTES


@pytest.mark.parametrize("inputs", [1, 999, 12_345])
def test_all_inputs_are_shared_out_once(inputs: int) -> None:
    numbers = Counter(
        (name, number)
        for name, _, first, count in chunks(inputs, 1)
        for number in range(first, first + count)
    )
    assert len(numbers) == inputs
    assert set(numbers.values()) == {1}


def _raises(data: bytes) -> None:
    if data.startswith(b"u"):
        raise UserError("ours")
    if data.startswith(b"b"):
        raise KeyError("a bug")


def test_an_error_of_ours_refuses_and_any_other_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target(run=_raises, inputs=SAMPLES["config"], share=1)
    monkeypatch.setattr(runner, "TARGETS", {"x": target})
    assert run_input("x", b"fine") is False
    assert run_input("x", b"ugly") is True
    failure = run_input("x", b"bad", number=3)
    assert isinstance(failure, Failure)
    said, place, again = str(failure).splitlines()
    assert said == "FAIL  x 3: KeyError: \"'a bug'\""
    assert place.endswith(" in _raises")
    assert base64.b64decode(again.split()[-1]) == b"bad"
    monkeypatch.setattr(runner, "SLOW", -1)
    slow = run_input("x", b"fine")
    assert isinstance(slow, Failure)
    assert "it took" in slow.problem


def test_a_failure_is_told_once_for_each_place_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def always(_: bytes) -> None:
        raise ValueError("always")

    monkeypatch.setattr(
        runner, "TARGETS", {"x": Target(run=always, inputs=SAMPLES["config"], share=1)}
    )
    lines: list[str] = []
    assert fuzz(20, 1, lines.append, processes=0) == 1
    assert sum(line.startswith("FAIL") for line in lines) == 1
    assert lines[-1] == "20 inputs, 20 failed: x 20"


def test_the_command_line_runs_one_input_again() -> None:
    data = base64.b64encode(b"---\n---\n").decode()
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--target", "edit", "--input", data],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "taken\n")
