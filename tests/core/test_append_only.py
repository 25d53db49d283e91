"""Entries of the base stay as they are; what the head lacks, or adds, is told apart."""

import dataclasses
from collections.abc import Sequence

import pytest

from bot.core.append_only import append_only_findings
from bot.core.memory_changes import memory_changes
from bot.core.model import MemoryStore
from bot.core.report import Finding, Weight
from bot.core.snapshot import ChangedFile, Repository, Snapshot
from bot.formats.cursor.store import read
from tests.formats.cursor.making import entry
from tests.formats.cursor.making import file as tree_file
from tests.making import file, snapshot

PATH = ".cursor/memory/session-handoff.md"
A, B, C, D = (entry(f"1-{number}-state", correlation_id=f"1-{number}") for number in range(4))


def store(**files: Sequence[str]) -> MemoryStore:
    """A store of files by their stems, `_` for `-`; `.md` follows."""
    found = read("", [tree_file(f"{n.replace('_', '-')}.md", *e) for n, e in files.items()])
    assert found is not None
    return found


def changed(before: str, after: str, *, removed: int | None = 0, path: str = PATH) -> Snapshot:
    """A pull request that changes one file. Each letter is an entry."""
    known = {"A": A, "B": B, "C": C, "D": D, "b": B.replace("done", "blocked")}
    return snapshot(
        base=[store(session_handoff=[known[letter] for letter in before])] if before else [],
        head=[store(session_handoff=[known[letter] for letter in after])] if after else [],
        files=[file(path, removed=removed)],
    )


def rules(snap: Snapshot) -> list[str]:
    return [one.rule for one in append_only_findings(snap) if one.rule != "memory-in-public"]


@pytest.mark.parametrize(
    ("before", "after", "removed", "expected"),
    [
        ("", "A", 0, []),
        ("AB", "ABC", 0, []),
        ("AB", "ABC", 1, []),  # a last line that had no end counts as taken out
        ("ABC", "ABD", 0, []),  # the base has gained C since
        ("ABC", "ABD", 9, ["entry-removed"]),
        ("AB", "A", None, ["entry-removed"]),
        ("AB", "Ab", 1, ["entry-edited"]),
        ("AB", "Ab", 0, ["duplicate-id"]),
        ("AB", "BA", 9, ["entries-reordered"]),
        ("AB", "ACB", 0, ["entry-inserted"]),
        ("AB", "", None, ["entry-removed"]),
        ("ABC", "CbA", None, ["entry-edited", "entries-reordered"]),
    ],
)
def test_what_a_pull_request_does_to_entries(
    before: str, after: str, removed: int | None, expected: list[str]
) -> None:
    assert rules(changed(before, after, removed=removed)) == expected


def test_a_finding_names_the_entry_its_line_and_what_to_do() -> None:
    (finding, _) = append_only_findings(changed("AB", "Ab", removed=1))
    assert finding == dataclasses.replace(
        finding,
        weight=Weight.FAILURE,
        path=PATH,
        line=18,
        message="Entry 1-1-state is edited. Put it back as it was, and append an entry that links "
        "to it.",
    )


@pytest.mark.parametrize(
    ("before", "after", "removed", "says_so"),
    [
        ("ABC", "ABD", 0, True),
        ("AB", "Ab", 0, True),  # one id, two entries
        ("AB", "ABC", 0, False),  # what is in conflict is something else
        ("ABC", "AB", 0, False),
        ("ABC", "AbD", 2, False),  # reappending takes a branch that only appends
    ],
)
def test_that_both_branches_appended_is_said_unless_github_can_merge_them(
    before: str, after: str, removed: int, says_so: bool
) -> None:
    calm = changed(before, after, removed=removed)
    assert "append-conflict" not in rules(calm)
    pull = dataclasses.replace(calm.pull, merges=False)
    torn = dataclasses.replace(calm, pull=pull)
    assert ("append-conflict" in rules(torn)) is says_so
    for finding in append_only_findings(torn):
        if finding.rule == "append-conflict":
            assert (finding.weight, finding.path) == (Weight.WARNING, PATH)
            assert "`/memoryrail reappend`" in finding.message


def test_all_that_goes_is_said_in_one_finding() -> None:
    gone = changed("ABCD", "", removed=None)
    (finding,) = (one for one in append_only_findings(gone) if one.rule == "entry-removed")
    assert finding.message.startswith("Entry 1-0-state and 3 more are taken away.")


def test_an_archive_takes_entries_as_they_are() -> None:
    files = [file(PATH, removed=30), file(".cursor/memory/session-handoff.archive-1.md", "added")]
    head = read(
        "", [tree_file("session-handoff.md", B, C), tree_file("session-handoff.archive-1.md", A)]
    )
    assert head is not None
    snap = snapshot(base=[store(session_handoff=[A, B])], head=[head], files=files)
    assert rules(snap) == []
    assert [change.after and change.after.id for change in memory_changes(snap)] == ["1-2-state"]


def test_a_broken_entry_may_be_mended() -> None:
    broken = store(session_handoff=[A, B.replace("kind: state", "kind: x")])
    fixed = store(session_handoff=[A, B])
    assert rules(snapshot(base=[broken], head=[fixed], files=[file(PATH, removed=1)])) == []


def test_what_the_base_alone_has_gained_is_no_change() -> None:
    assert memory_changes(changed("ABC", "AB")) == ()
    assert [one.kind for one in memory_changes(changed("AB", "ABC"))] == ["added"]
    assert [one.kind for one in memory_changes(changed("ABC", "AB", removed=9))] == ["removed"]


def test_new_entries_of_a_task_agree() -> None:
    wrong = entry("1-4-state", correlation_id="1-5")
    by_hand = entry("use-kafka", correlation_id="1-5")
    snap = snapshot(
        base=[store(session_handoff=[A])],
        head=[store(session_handoff=[A, wrong, by_hand])],
        files=[file(PATH)],
    )
    (finding,) = (one for one in append_only_findings(snap) if one.rule != "memory-in-public")
    assert (finding.rule, finding.line) == ("correlation-mismatch", 19)
    on_base = store(session_handoff=[A, wrong])
    assert rules(snapshot(base=[on_base], files=[file(PATH)])) == []


def _public(files: Sequence[ChangedFile], **repository: object) -> list[Finding]:
    head = read("", [tree_file("session-handoff.md", A), tree_file("patterns.shared.md")])
    assert head is not None
    snap = snapshot(head=[head], files=files)
    where = dataclasses.replace(snap.repository, **repository)  # type: ignore[arg-type]
    return list(append_only_findings(dataclasses.replace(snap, repository=where)))


def test_entries_in_a_public_repository_are_told_once() -> None:
    shared = file(".cursor/memory/patterns.shared.md")
    (finding,) = _public([file(PATH), shared])
    assert (finding.rule, finding.weight, finding.path) == (
        "memory-in-public",
        Weight.NOTICE,
        PATH,
    )
    assert _public([shared]) == []
    assert _public([file("src/a.py")]) == []
    assert _public([file(PATH)], private=True) == []
    assert _public([file(PATH)], id=0) == []


def test_other_stores_are_none_of_its_business() -> None:
    assert isinstance(snapshot().repository, Repository)
    assert rules(snapshot(files=[file("src/a.py", removed=3)])) == []


def test_a_copy_in_another_store_is_no_archive() -> None:
    elsewhere = read("app", [tree_file("session-handoff.md", A, root="app")])
    assert elsewhere is not None
    snap = snapshot(
        base=[store(session_handoff=[A, B])],
        head=[store(session_handoff=[B]), elsewhere],
        files=[file(PATH, removed=13), file(f"app/{PATH}", "added")],
    )
    assert rules(snap) == ["entry-removed"]


@pytest.mark.parametrize(
    ("at", "added"),
    [
        ("kind: state\n", "id: 7-7-state\ncorrelation_id: 7-7\n"),  # of two fields the last counts
        ("---\n", "id: 7-7-state\ncorrelation_id: 7-7\nsummary: Other\nkind: state\n---\n---\n"),
    ],
)
def test_lines_that_are_only_added_cannot_hide_an_entry(at: str, added: str) -> None:
    hidden = B.replace(at, f"{at}{added}", 1)
    snap = snapshot(
        base=[store(session_handoff=[A, B])],
        head=[store(session_handoff=[A, hidden])],
        files=[file(PATH, removed=0)],
    )
    assert rules(snap) == ["entry-removed"]
    assert [change.kind for change in memory_changes(snap)] == ["removed", "added"]


def test_a_file_that_becomes_none_of_entries_takes_them_with_it() -> None:
    moved = dataclasses.replace(file("old.md", "renamed", removed=0), previous_path=PATH)
    snap = snapshot(base=[store(session_handoff=[A])], head=[], files=[moved])
    assert rules(snap) == ["entry-removed"]


def test_each_of_two_entries_with_one_id_stays() -> None:
    twin = B.replace("done", "blocked")
    snap = snapshot(
        base=[store(session_handoff=[A, B, twin])],
        head=[store(session_handoff=[A, B.replace("done", "rejected"), twin])],
        files=[file(PATH, removed=1)],
    )
    assert rules(snap) == ["entry-edited"]
