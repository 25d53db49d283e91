"""Faults in memory and settings files weigh by who caused them."""

import dataclasses

import pytest

from bot.core.format_findings import format_findings
from bot.core.model import Problem, Severity
from bot.core.report import Finding, Weight
from bot.core.snapshot import ChangedFile
from tests.making import file, snapshot, store

BAD = Problem(path=".memoryrail/memories/bad.md", line=3, rule="bad-type", message="Not a type.")


@pytest.mark.parametrize(
    ("files", "severity", "base_has_it", "expected"),
    [
        ([file(BAD.path, "added")], Severity.ERROR, False, Weight.FAILURE),
        ([file(BAD.path)], Severity.WARNING, False, Weight.WARNING),
        ([file("src/a.py")], Severity.ERROR, True, Weight.NOTICE),
    ],
    ids=["brought", "brought, a warning", "stood there"],
)
def test_a_format_problem_weighs_by_who_caused_it(
    files: list[ChangedFile], severity: Severity, base_has_it: bool, expected: Weight
) -> None:
    problem = dataclasses.replace(BAD, severity=severity)
    with_it = store(problems=[problem], texts={BAD.path: "1"})
    snap = snapshot(base=[with_it if base_has_it else store()], head=[with_it], files=files)
    found: list[Finding] = list(format_findings(snap))
    assert [(one.weight, one.path, one.line) for one in found] == [(expected, BAD.path, 3)]


def test_many_older_faults_of_a_kind_are_said_as_one() -> None:
    many = [dataclasses.replace(BAD, path=f"{number}.md") for number in range(6)]
    (said,) = format_findings(snapshot(base=[store(problems=many)]))
    assert (said.path, said.message) == ("0.md", "Not a type. There are 5 more of this kind.")
    assert len(list(format_findings(snapshot(base=[store(problems=many[1:])])))) == 5
    caused = snapshot(head=[store(problems=many)], files=[file(one.path) for one in many])
    assert len(list(format_findings(caused))) == 6


def test_what_a_format_forbids_between_base_and_head_is_caused_here() -> None:
    (said,) = format_findings(snapshot(differences=(BAD,)))
    assert (said.weight, said.path, said.is_older) == (Weight.FAILURE, BAD.path, False)


def test_a_broken_base_never_fails_the_pull_request_that_mends_it() -> None:
    snap = snapshot(
        base=[store(problems=[BAD], texts={BAD.path: "1"})],
        head=[store(texts={BAD.path: "2"})],
        files=[file(BAD.path)],
    )
    assert list(format_findings(snap)) == []


def test_two_faults_of_one_kind_in_a_file_are_two() -> None:
    other = dataclasses.replace(BAD, line=4, message="Not a type either.")
    snap = snapshot(
        base=[store(problems=[BAD], texts={BAD.path: "1"})],
        head=[store(problems=[BAD, other], texts={BAD.path: "2"})],
        files=[file(BAD.path)],
    )
    assert [(one.weight, one.line) for one in format_findings(snap)] == [
        (Weight.NOTICE, 3),
        (Weight.FAILURE, 4),
    ]


def test_a_shared_ref_is_left_to_the_life_of_memories() -> None:
    twin = dataclasses.replace(BAD, rule="ambiguous-ref", severity=Severity.NOTICE)
    with_it = store(problems=[twin], texts={BAD.path: "1"})
    snap = snapshot(base=[with_it], head=[with_it], files=[file(BAD.path)])
    assert list(format_findings(snap)) == []


def test_a_file_that_another_change_breaks_is_caused_here() -> None:
    """Nothing in the file differs, but what it names is taken away by this pull request."""
    problem = dataclasses.replace(BAD, rule="unknown-supersedes")
    snap = snapshot(
        base=[store(texts={BAD.path: "1"})],
        head=[store(problems=[problem], texts={BAD.path: "1"})],
        files=[file(".memoryrail/memories/gone.md", "removed")],
    )
    assert [one.weight for one in format_findings(snap)] == [Weight.FAILURE]


def test_a_fault_that_stood_there_does_not_fail_who_touches_the_file() -> None:
    snap = snapshot(
        base=[store(problems=[BAD], texts={BAD.path: "1"})],
        head=[store(problems=[BAD], texts={BAD.path: "2"})],
        files=[file(BAD.path)],
    )
    assert [one.weight for one in format_findings(snap)] == [Weight.NOTICE]


SETTINGS = ".github/memoryrail.yml"
ONE = Problem(path=SETTINGS, line=1, rule="unknown-setting", message="`a` is no setting.")
TWO = Problem(path=SETTINGS, line=2, rule="unknown-setting", message="`b` is no setting.")


@pytest.mark.parametrize(
    ("standing", "proposed", "expected"),
    [
        ([ONE], None, [("`a` is no setting.", "notice")]),
        ([], [ONE], [("`a` is no setting.", "failure")]),
        ([ONE, TWO], [TWO], [("`b` is no setting.", "notice")]),
        ([ONE], [], []),
        ([ONE], [ONE, TWO], [("`a` is no setting.", "notice"), ("`b` is no setting.", "failure")]),
    ],
    ids=["stood there", "brought", "one of two mended", "mended", "one more brought"],
)
def test_settings(
    standing: list[Problem], proposed: list[Problem] | None, expected: list[tuple[str, str]]
) -> None:
    snap = snapshot(
        settings_problems=tuple(standing),
        proposed_settings_problems=None if proposed is None else tuple(proposed),
    )
    assert [(one.message, one.weight.value) for one in format_findings(snap)] == expected


def test_what_is_wrong_in_the_owners_settings_is_said_and_fails_nobody() -> None:
    problem = dataclasses.replace(ONE, path="octo/.github:.github/memoryrail.yml", line=3)
    (finding,) = format_findings(snapshot(owners_settings_problems=(problem,)))
    assert (finding.path, finding.line, finding.weight) == (None, 1, Weight.NOTICE)
    assert finding.message == (
        "In the owner's settings, octo/.github:.github/memoryrail.yml:3: `a` is no setting."
    )
