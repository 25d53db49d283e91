"""What a pull request may do to memories, and what it may not."""

import dataclasses

import pytest

from bot.core.lifecycle import memory_changes, memory_findings
from bot.core.model import Memory, Problem, Severity, Status
from bot.core.report import ChangeKind, Finding, Weight
from bot.core.snapshot import ChangedFile, Snapshot
from tests.making import ROBOT, commit, file, memory, snapshot, store

OLD = memory(links=["src/db", "src/api"], pinned=True, body="Because it is enough.\n")
OTHER = memory("20261002-other", title="Something else")


def rules(snap: Snapshot) -> list[tuple[str, str]]:
    """Rule and weight of each finding, sorted."""
    findings = memory_findings(snap, memory_changes(snap))
    return sorted((finding.rule, finding.weight.value) for finding in findings)


def changed(
    after: Memory | None, *, before: Memory | None = OLD, more: tuple[Memory, ...] = ()
) -> Snapshot:
    """A pull request that turns one memory into another."""
    path = (after or before or OLD).path
    status = "removed" if after is None else "added" if before is None else "modified"
    return snapshot(
        base=[store(*([before] if before else []), OTHER)],
        head=[store(*([after] if after else []), OTHER, *more)],
        files=[file(path, status)],
    )


def with_(**fields: object) -> Memory:
    return dataclasses.replace(OLD, **fields)  # type: ignore[arg-type]


SUCCESSOR = memory("20261005-new", title="Use Postgres", supersedes=OLD.id)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (with_(title="Keep it not"), ["reworded"]),
        (with_(body="Because of something else."), ["reworded"]),
        (with_(body="Because  it is\nenough."), []),
        (with_(pinned=False), ["unpinned"]),
        (with_(links=("src/db",)), ["links-narrowed"]),
        (with_(links=("src/db", "src/api", "src/new")), []),
        (with_(updated="2026-11-01T00:00:00Z", tags=("db",)), []),
        (with_(status=Status.ARCHIVED), ["deactivated"]),
        (with_(status=Status.SUPERSEDED), ["half-superseded"]),
        (None, ["removed"]),
    ],
    ids=[
        "title",
        "body",
        "white space only",
        "unpinned",
        "a link dropped",
        "a link added",
        "updated and tagged",
        "archived",
        "superseded by nothing",
        "removed",
    ],
)
def test_a_settled_memory_changed_in_place(after: Memory | None, expected: list[str]) -> None:
    assert rules(changed(after)) == [(rule, "failure") for rule in expected]


def test_a_memory_that_is_given_another_file_is_renamed() -> None:
    new = dataclasses.replace(
        OLD, id="20261001-new-name", path=".memoryrail/memories/20261001-new-name.md"
    )
    snap = snapshot(
        base=[store(OLD)],
        head=[store(new)],
        files=[file(new.path, "renamed", previous_path=OLD.path)],
    )
    assert rules(snap) == [("renamed", "failure")]


def test_both_sides_of_a_supersession_in_one_pull_request_are_fine() -> None:
    old = with_(status=Status.SUPERSEDED, superseded_by=SUCCESSOR.id)
    snap = snapshot(
        base=[store(OLD)],
        head=[store(old, SUCCESSOR)],
        files=[file(OLD.path), file(SUCCESSOR.path, "added")],
    )
    assert rules(snap) == []


def test_a_successor_that_leaves_the_old_one_active_is_half_done() -> None:
    snap = snapshot(
        base=[store(OLD)], head=[store(OLD, SUCCESSOR)], files=[file(SUCCESSOR.path, "added")]
    )
    assert rules(snap) == [("half-superseded", "failure")]


def test_a_proposed_successor_must_leave_the_old_one_alone() -> None:
    proposed = dataclasses.replace(SUCCESSOR, status=Status.PROPOSED)
    old = with_(status=Status.SUPERSEDED, superseded_by=SUCCESSOR.id)
    both = [file(OLD.path), file(SUCCESSOR.path, "added")]
    fine = snapshot(base=[store(OLD)], head=[store(OLD, proposed)], files=both[1:])
    early = snapshot(base=[store(OLD)], head=[store(old, proposed)], files=both)
    assert rules(fine) == []
    assert rules(early) == [("half-superseded", "failure")]


def test_a_proposal_may_be_reworded_or_taken_back() -> None:
    proposal = with_(status=Status.PROPOSED)
    assert rules(changed(dataclasses.replace(proposal, title="Better"), before=proposal)) == []
    assert rules(changed(None, before=proposal)) == []


def test_threads_live_their_own_life() -> None:
    thread = memory("20261003-open", "thread", title="Open question")
    done = dataclasses.replace(thread, status=Status.RESOLVED, title="Answered")
    assert rules(changed(done, before=thread)) == []


def test_a_link_may_go_with_the_file_that_it_names() -> None:
    snap = snapshot(
        base=[store(OLD)],
        head=[store(with_(links=("src/db",)))],
        files=[file(OLD.path), file("src/core", "renamed", previous_path="src/api")],
    )
    assert rules(snap) == []


def test_a_superseded_memory_is_not_revived() -> None:
    dead = with_(status=Status.SUPERSEDED)
    assert rules(changed(OLD, before=dead)) == [("revived", "failure")]


@pytest.mark.parametrize(
    ("status", "gated", "author", "expected"),
    [
        ("active", True, ROBOT, [("gate-bypassed", "failure")]),
        ("proposed", True, ROBOT, []),
        ("active", False, ROBOT, []),
        ("active", True, None, []),
    ],
    ids=["active", "proposed", "no gate", "a person"],
)
def test_the_review_gate(
    status: str, gated: bool, author: object, expected: list[tuple[str, str]]
) -> None:
    new = memory("20261006-new", title="New", status=status)
    made = commit(author=author, paths=(new.path,)) if author else commit(paths=(new.path,))  # type: ignore[arg-type]
    snap = snapshot(
        base=[store(OTHER, gated=gated)],
        head=[store(OTHER, new, gated=gated)],
        files=[file(new.path, "added")],
        commits=[made],
    )
    assert rules(snap) == expected
    assert memory_changes(snap)[0].by_agent is (author is ROBOT)


def test_the_gate_of_the_base_counts_and_turning_it_off_is_said() -> None:
    new = memory("20261006-new", title="New")
    snap = snapshot(
        base=[store(OTHER, gated=True)],
        head=[store(OTHER, new, gated=False)],
        files=[file(new.path, "added"), file(".memoryrail/config.json")],
        commits=[commit(author=ROBOT, paths=(new.path,))],
    )
    assert rules(snap) == [("gate-bypassed", "failure"), ("gate-turned-off", "warning")]


def test_a_new_memory_must_not_share_a_ref() -> None:
    queue = memory("20261010-keep-invoice-queue", title="Queue")
    ledger = memory("20261010-keep-invoice-ledger", title="Ledger")
    snap = snapshot(
        base=[store(queue)], head=[store(queue, ledger)], files=[file(ledger.path, "added")]
    )
    found = list(memory_findings(snap, memory_changes(snap)))
    assert [(one.rule, one.path) for one in found] == [("ambiguous-ref", ledger.path)]
    assert queue.id in found[0].message


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
    with_it = store(problems=[problem], oids={BAD.path: "1"})
    snap = snapshot(base=[with_it if base_has_it else store()], head=[with_it], files=files)
    found: list[Finding] = list(memory_findings(snap, ()))
    assert [(one.weight, one.path, one.line) for one in found] == [(expected, BAD.path, 3)]


def test_a_broken_base_never_fails_the_pull_request_that_mends_it() -> None:
    snap = snapshot(
        base=[store(problems=[BAD], oids={BAD.path: "1"})],
        head=[store(oids={BAD.path: "2"})],
        files=[file(BAD.path)],
    )
    assert list(memory_findings(snap, ())) == []


def test_a_file_that_another_change_breaks_is_caused_here() -> None:
    """Nothing in the file differs, but what it names is taken away by this pull request."""
    problem = dataclasses.replace(BAD, rule="unknown-supersedes")
    snap = snapshot(
        base=[store(oids={BAD.path: "1"})],
        head=[store(problems=[problem], oids={BAD.path: "1"})],
        files=[file(".memoryrail/memories/gone.md", "removed")],
    )
    assert [one.weight for one in memory_findings(snap, ())] == [Weight.FAILURE]


def test_changes_name_both_versions() -> None:
    new = with_(updated="2026-11-01T00:00:00Z", title="Other")
    (change,) = memory_changes(changed(new))
    assert (change.kind, change.before, change.after) == (ChangeKind.CHANGED, OLD, new)
    assert memory_changes(snapshot(base=[store(OLD)], files=[file("src/a.py")])) == ()
