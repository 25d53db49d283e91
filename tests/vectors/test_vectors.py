"""Every vector of spec/vectors, run as `make vectors` runs it."""

from collections import Counter

import pytest

from bot.core.model import Severity
from tests.vectors import cursor, jumpybrain
from tests.vectors.cases import VECTORS, Case, load
from tests.vectors.memoryrail import OPERATIONS
from tests.vectors.memoryrail.project import Project
from tests.vectors.runner import run

CASES = load(VECTORS)

# A SAS token in docs/: the vector names the level of the shape, the place then counts one lower.
NOTES = {"cloud-11": ("azure-sas-token is low here, expected medium",)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_vector_passes(case: Case) -> None:
    verdict = run(case)
    assert verdict.differences == ()
    assert verdict.notes == NOTES.get(case.name, ())


def test_the_vectors_are_all_there() -> None:
    assert Counter(case.format for case in CASES) == {
        "memoryrail": 151,
        "cursor": 121,
        "jumpybrain": 113,
        "1": 776,
    }
    clean = [case for case in CASES if case.format == "1" and not case.data["expect"]]
    assert len(clean) == 363


def test_every_operation_has_a_vector() -> None:
    for format_, operations in (
        ("memoryrail", OPERATIONS),
        ("cursor", cursor.OPERATIONS),
        ("jumpybrain", jumpybrain.OPERATIONS),
    ):
        ops = {case.data["op"] for case in CASES if case.format == format_}
        assert ops == operations.keys()


def test_what_reads_as_expected_has_no_other_fault() -> None:
    """The vectors compare no key that they do not give; ours go a step further."""
    for case in CASES:
        if (case.format, case.data.get("op")) == (
            "memoryrail",
            "read",
        ) and "errors" not in case.data["expect"]:
            problems = Project(case.data["files"]).store.problems
            assert [one for one in problems if one.severity is Severity.ERROR] == [], case.name
