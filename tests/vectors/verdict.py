"""What came of a case, held against what is expected, key by key."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Judge = Callable[[Any], tuple[object, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is not as expected."""

    what: str
    expected: object
    got: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a case ended: passed without differences. Notes are worth a look and no failure."""

    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an operation gave."""

    # Key of `expect` -> what turns the value there into (expected, got), alike when it passes.
    judges: Mapping[str, Judge] = field(default_factory=dict)
    # The kinds that name the error that ended it, its own first; () when it succeeded.
    error: tuple[str, ...] = ()
    changed: frozenset[str] = frozenset()  # paths of files that were written, made or deleted
    new: frozenset[str] = frozenset()  # those of them that it was to write
    output: str = field(default="", repr=False)  # all that is printed
    notes: tuple[str, ...] = ()


def judged(expect: Mapping[str, Any], outcome: Outcome) -> Verdict:
    """Compare every key of expect; one that the operation does not know is a difference."""
    if not expect:
        problem = Difference(what="expect", expected="something to compare", got="nothing")
        return Verdict(differences=(problem,), notes=outcome.notes)
    return Verdict(differences=tuple(_differences(expect, outcome)), notes=outcome.notes)


def same(got: object) -> Judge:
    """What must be equal to the expected value."""
    return lambda expected: (expected, got)


def alike(got: list[str]) -> Judge:
    """A list whose order does not matter."""
    return lambda expected: (sorted(expected), sorted(got))


def as_set(got: Sequence[Mapping[str, object]]) -> Judge:
    """Findings compared by the keys that the expected ones give, however often one is there."""

    def judge(expected: list[dict[str, Any]]) -> tuple[object, object]:
        missing = [
            one for one in expected if not any(one.items() <= other.items() for other in got)
        ]
        more = [one for one in got if not any(other.items() <= one.items() for other in expected)]
        return (missing, more) if missing or more else ([], [])

    return judge


def silent(output: str) -> Judge:
    """That none of some texts stands in what is printed. They are not shown here either."""

    def judge(value: str | list[str]) -> tuple[object, object]:
        texts = value if isinstance(value, list) else [value]
        found = [number for number, text in enumerate(texts, 1) if text in output]
        return [], [f"text {number} stands in the output" for number in found]

    return judge


def _differences(expect: Mapping[str, Any], outcome: Outcome) -> Iterator[Difference]:
    others = outcome.changed - outcome.new - set(expect.get("files", ()))
    judges: dict[str, Judge] = {
        "error": lambda kind: (kind, _named(outcome, [kind])),
        "error_any": lambda kinds: (f"one of {kinds}", _any_of(outcome, kinds)),
        "output_must_not_contain": silent(outcome.output),
        "one_of": lambda outcomes: _one_of(outcomes, outcome),
        "unchanged": lambda wanted: (wanted, not outcome.changed),
        "others_unchanged": lambda wanted: (wanted, not others or f"changed: {sorted(others)}"),
        **outcome.judges,
    }
    if outcome.error and not expect.keys() & {"error", "error_any", "one_of"}:
        yield Difference(what="error", expected="none", got=outcome.error[0])
    for key, value in expect.items():
        judge = judges.get(key)
        if judge is None:
            yield Difference(what=key, expected=value, got="a key that is not known here")
            continue
        expected, got = judge(value)
        if expected != got:
            yield Difference(what=key, expected=expected, got=got)


def _named(outcome: Outcome, kinds: list[str]) -> str:
    """The error by one of the expected kinds where one fits, else by its own."""
    own = outcome.error[0] if outcome.error else "no error"
    return next((kind for kind in kinds if kind in outcome.error), own)


def _any_of(outcome: Outcome, kinds: list[str]) -> str:
    named = _named(outcome, kinds)
    return f"one of {kinds}" if named in kinds else named


def _one_of(outcomes: list[Mapping[str, Any]], outcome: Outcome) -> tuple[object, object]:
    """Any of these; else what is wrong with each."""
    wrong = [
        [f"{one.what}: {one.got!r}" for one in judged(expect, outcome).differences]
        for expect in outcomes
    ]
    return (outcomes, outcomes if not all(wrong) else wrong)
