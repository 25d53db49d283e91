"""Runs cases, whatever their format, and reports them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.vectors import cursor, jumpybrain, memoryrail, secrets
from tests.vectors.cases import Case, MalformedError, UnusableError, load
from tests.vectors.verdict import Difference, Verdict

FORMATS: Final[Mapping[str, Callable[[Mapping[str, Any]], Verdict]]] = {
    "memoryrail": memoryrail.run,
    "cursor": cursor.run,
    "jumpybrain": jumpybrain.run,
    "1": secrets.run,  # which is how those files name their format
}
_MAX_SHOWN: Final = 600  # characters of a value


def run(case: Case) -> Verdict:
    """Run one case. Whatever it raises is a difference: the next case is run all the same."""
    run_case = FORMATS.get(case.format)
    if run_case is None:
        return _failed("format", f"one of {', '.join(FORMATS)}", case.format)
    try:
        return run_case(case.data)
    except MalformedError as error:
        return _failed("case", "the shape that the README describes", str(error))
    except Exception as error:
        return _failed("run", "an outcome", f"{type(error).__name__}: {error}")


def main(arguments: list[str], say: Callable[[str], None]) -> int:
    """Run a folder and report it by say, line by line; the exit code."""
    if len(arguments) > 1:
        say("usage: python -m tests.vectors FOLDER")
        return 2
    try:
        cases = load(Path(*arguments))
    except UnusableError as error:
        for problem in error.problems:
            say(problem)
        return 2
    verdicts = [(case, run(case)) for case in cases]
    for line in report(verdicts):
        say(line)
    return 1 if any(verdict.differences for _, verdict in verdicts) else 0


def report(verdicts: Iterable[tuple[Case, Verdict]]) -> Iterator[str]:
    """Each note and failure with what was expected and what came, then the count."""
    passed = failed = 0
    for case, verdict in verdicts:
        name = f"{case.file}: {case.name}"
        yield from (f"note  {name}: {note}" for note in verdict.notes)
        if not verdict.differences:
            passed += 1
            continue
        failed += 1
        yield f"FAIL  {name} ({case.data.get('op', 'scan')})"
        for one in verdict.differences:
            expected, got = _shown(one.expected, one.got)
            yield f"      {one.what}: expected {expected}"
            yield f"      {' ' * len(one.what)}  got      {got}"
    yield f"{passed} passed, {failed} failed"


def _failed(what: str, expected: object, got: object) -> Verdict:
    return Verdict(differences=(Difference(what=what, expected=expected, got=got),))


def _shown(*values: object) -> list[str]:
    """Values on one line each; of long ones what surrounds the first difference."""
    texts = [repr(value) for value in values]
    if max(map(len, texts)) <= _MAX_SHOWN:
        return texts
    same = next(
        (at for at, pair in enumerate(zip(*texts, strict=False)) if len(set(pair)) > 1),
        min(map(len, texts)),
    )
    start = max(0, same - _MAX_SHOWN // 2)
    return [
        f"{'…' if start else ''}{text[start : start + _MAX_SHOWN]}"
        f"{'…' if len(text) > start + _MAX_SHOWN else ''}"
        for text in texts
    ]
