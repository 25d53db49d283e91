"""What a pull request may do to memories, and what it may not."""

import dataclasses

import pytest

from bot.core.lifecycle import lifecycle_findings
from bot.core.memory_changes import memory_changes
from bot.core.model import Memory, MemoryStore, MemoryType, Status
from bot.core.snapshot import Snapshot
from bot.formats.cursor.store import read as cursor_store
from bot.formats.jumpybrain.store import read as jumpybrain_store
from tests.formats.cursor.making import entry
from tests.formats.cursor.making import file as entries
from tests.formats.jumpybrain.making import config, text
from tests.formats.jumpybrain.making import file as document
from tests.making import ROBOT, commit, file, memory, snapshot, store

OLD = memory(links=["src/db", "src/api"], pinned=True, body="Because it is enough.\n")
OTHER = memory("20261002-other", title="Something else")


def rules(snap: Snapshot) -> list[tuple[str, str]]:
    """Rule and weight of each finding, sorted."""
    findings = lifecycle_findings(snap, memory_changes(snap))
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
        (with_(links=("src",)), []),
        (with_(links=("src/db/", "./src/api")), []),
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
        "links widened",
        "links spelt otherwise",
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
        files=[file(OLD.path)],
        gone=frozenset({"src/api"}),
    )
    assert rules(snap) == []
    assert rules(dataclasses.replace(snap, gone=frozenset())) == [("links-narrowed", "failure")]


def test_a_link_follows_the_file_that_is_renamed() -> None:
    files = [file(OLD.path), file("lib/db", "renamed", previous_path="src/db")]
    for links, expected in (
        (("src/api",), [("links-narrowed", "failure")]),
        (("src/api", "lib/db"), []),
        (("src/api", "lib"), []),
    ):
        snap = snapshot(base=[store(OLD)], head=[store(with_(links=links))], files=files)
        assert rules(snap) == expected


@pytest.mark.parametrize(
    "fakes",
    [
        [dataclasses.replace(SUCCESSOR, status=Status.ARCHIVED)],
        [dataclasses.replace(SUCCESSOR, type=MemoryType.SESSION)],
        [dataclasses.replace(SUCCESSOR, supersedes=None)],
        [
            dataclasses.replace(SUCCESSOR, status=Status.SUPERSEDED, superseded_by="20261006-x"),
            memory("20261006-x", status="archived", supersedes=SUCCESSOR.id),
        ],
    ],
    ids=["archived", "not durable", "names another", "a line that ends archived"],
)
def test_a_successor_that_binds_nobody_is_none(fakes: list[Memory]) -> None:
    old = with_(status=Status.SUPERSEDED, superseded_by=fakes[0].id)
    snap = snapshot(
        base=[store(OLD)],
        head=[store(old, *fakes)],
        files=[file(OLD.path), *(file(one.path, "added") for one in fakes)],
    )
    assert ("half-superseded", "failure") in rules(snap)


def test_memories_that_supersede_themselves_or_each_other_are_not_superseded() -> None:
    alone = with_(status=Status.SUPERSEDED, superseded_by=OLD.id, supersedes=OLD.id)
    snap = snapshot(base=[store(OLD)], head=[store(alone)], files=[file(OLD.path)])
    assert rules(snap) == [("half-superseded", "failure")]
    one = with_(status=Status.SUPERSEDED, superseded_by=OTHER.id, supersedes=OTHER.id)
    two = dataclasses.replace(
        OTHER, status=Status.SUPERSEDED, superseded_by=OLD.id, supersedes=OLD.id
    )
    files = [file(OLD.path), file(OTHER.path)]
    snap = snapshot(base=[store(OLD, OTHER)], head=[store(one, two)], files=files)
    assert rules(snap) == [("half-superseded", "failure")] * 2


def test_a_line_of_successors_may_be_long() -> None:
    first = with_(status=Status.SUPERSEDED, superseded_by=SUCCESSOR.id)
    second = dataclasses.replace(SUCCESSOR, status=Status.SUPERSEDED, superseded_by="20261006-x")
    third = memory("20261006-x", supersedes=SUCCESSOR.id)
    snap = snapshot(
        base=[store(OLD)],
        head=[store(first, second, third)],
        files=[file(one.path) for one in (first, second, third)],
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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (memory(type_="thread"), memory(type_="constraint", pinned=True)),
        (memory(), memory(pinned=True)),
        (memory(links=["src/a"]), memory(links=["src/a", "."])),
        (memory(status="archived"), memory()),
    ],
    ids=["a thread made a constraint", "pinned", "linked to everything", "revived"],
)
def test_an_agent_does_not_make_anything_bind_more(before: Memory, after: Memory) -> None:
    snap = snapshot(
        base=[store(before, gated=True)],
        head=[store(after, gated=True)],
        files=[file(after.path)],
        commits=[commit(author=ROBOT, paths=(after.path,))],
    )
    assert ("gate-bypassed", "failure") in rules(snap)


def test_what_an_agent_may_do_behind_the_gate() -> None:
    retagged = memory(tags=("db",))
    snap = snapshot(
        base=[store(memory(), gated=True)],
        head=[store(retagged, gated=True)],
        files=[file(retagged.path)],
        commits=[commit(author=ROBOT, paths=(retagged.path,))],
    )
    assert rules(snap) == []


def test_an_agents_commit_that_could_not_be_read_may_have_touched_anything() -> None:
    new = memory("20261006-new", title="New")
    snap = snapshot(
        base=[store(OTHER, gated=True)],
        head=[store(OTHER, new, gated=True)],
        files=[file(new.path, "added")],
        commits=[commit(author=ROBOT, paths_known=False)],
    )
    assert rules(snap) == [("gate-bypassed", "failure")]


def test_our_own_commits_are_no_agents_work() -> None:
    new = memory("20261006-new", title="New")
    snap = snapshot(
        base=[store(OTHER, gated=True)],
        head=[store(OTHER, new, gated=True)],
        files=[file(new.path, "added")],
        commits=[commit(author=ROBOT, paths=(new.path,), is_ours=True)],
    )
    assert rules(snap) == []


def test_the_gate_of_the_base_counts_and_turning_it_off_is_said() -> None:
    new = memory("20261006-new", title="New")
    snap = snapshot(
        base=[store(OTHER, gated=True)],
        head=[store(OTHER, new, gated=False)],
        files=[file(new.path, "added"), file(".memoryrail/config.json")],
        commits=[commit(author=ROBOT, paths=(new.path,))],
    )
    assert rules(snap) == [("gate-bypassed", "failure"), ("gate-turned-off", "failure")]


def test_a_person_may_turn_the_gate_off_and_it_is_said() -> None:
    snap = snapshot(
        base=[store(OTHER, gated=True)],
        head=[store(OTHER)],
        files=[file(".memoryrail/config.json")],
        commits=[commit(paths=(".memoryrail/config.json",))],
    )
    assert rules(snap) == [("gate-turned-off", "warning")]


def test_a_new_memory_must_not_share_a_ref() -> None:
    queue = memory("20261010-keep-invoice-queue", title="Queue")
    ledger = memory("20261010-keep-invoice-ledger", title="Ledger")
    snap = snapshot(
        base=[store(queue)], head=[store(queue, ledger)], files=[file(ledger.path, "added")]
    )
    found = list(lifecycle_findings(snap, memory_changes(snap)))
    assert [(one.rule, one.path) for one in found] == [("ambiguous-ref", ledger.path)]
    assert queue.id in found[0].message


def approved_then(after: Memory, *approved: Memory) -> Snapshot:
    """An agent's memory at the head, after a maintainer approved some contents of it."""
    contents = store(after, gated=True)
    oids = [store(one).files[one.path].oid for one in approved]
    return snapshot(
        base=[store(OTHER, gated=True)],
        head=[contents],
        files=[file(after.path, "added")],
        commits=[commit(author=ROBOT, paths=(after.path,))],
        approvals=frozenset((after.path, oid) for oid in oids),
    )


def test_documents_are_edited_in_place_but_an_approval_is_of_contents() -> None:
    def documents(one: Memory | None) -> MemoryStore:
        return dataclasses.replace(store(*([one] if one else [])), edited_in_place=True)

    def pull(before: Memory | None, after: Memory | None, *approved: Memory) -> Snapshot:
        path = (after or OLD).path
        oids = [documents(one).files[path].oid for one in approved]
        return snapshot(
            base=[documents(before)],
            head=[documents(after)],
            files=[file(path)],
            commits=[commit(author=ROBOT, paths=(path,))],
            approvals=frozenset((path, oid) for oid in oids),
        )

    draft, other = with_(status=Status.PROPOSED), with_(title="Keep it not", pinned=False)
    for after in (other, with_(type=MemoryType.GOTCHA, links=()), draft, None):
        assert rules(pull(OLD, after)) == []
    assert rules(pull(None, other, OLD)) == [("approved-text-changed", "failure")]
    assert rules(pull(draft, OLD)) == [("gate-bypassed", "failure")]  # an agent says so itself
    assert rules(pull(draft, OLD, OLD)) == []


def test_an_approval_is_of_contents() -> None:
    new = memory("20261006-new", title="New")
    assert rules(approved_then(new, new)) == []
    edited = dataclasses.replace(new, body="Something else.")
    assert rules(approved_then(edited, new)) == [("approved-text-changed", "failure")]
    assert rules(approved_then(edited, new, edited)) == []


def test_a_person_who_edits_what_was_approved_needs_an_approval_too() -> None:
    new = memory("20261006-new", title="New")
    snap = dataclasses.replace(approved_then(new), commits=(commit(paths=(new.path,)),))
    assert rules(snap) == []
    edited = dataclasses.replace(snap, approvals=frozenset({(new.path, "other")}))
    assert rules(edited) == [("approved-text-changed", "failure")]


@pytest.mark.parametrize(
    ("after", "left"),
    [
        (with_(pinned=False, links=("src/db",)), []),
        (with_(status=Status.ARCHIVED), []),
        (with_(title="Keep it not", pinned=False), ["reworded"]),
        (None, ["removed"]),
    ],
)
def test_a_maintainer_may_weaken_what_is_settled_and_nobody_rewords_it(
    after: Memory | None, left: list[str]
) -> None:
    by_command = changed(after)
    file_ = by_command.head.memory_file(OLD.path)
    approvals = frozenset([(OLD.path, file_.oid)] if file_ else [])
    approved = dataclasses.replace(by_command, approvals=approvals)
    assert [rule for rule, _ in rules(approved)] == left
    assert set(rules(approved)) <= set(rules(by_command))


def test_an_agent_that_reviews_its_own_document_is_told() -> None:
    path = "memory/notes/a.md"

    def told(content: str, *approved: str, before: str = "") -> list[tuple[str, str, int]]:
        roots = [
            jumpybrain_store("", [config(), *([document(path, one)] if one else [])])
            for one in (before, content)
        ]
        base, head = ([one] if one else [] for one in roots)
        snap = snapshot(
            base=base,
            head=head,
            files=[file(path)],
            commits=[commit(author=ROBOT, added={path: content})],
            approvals=frozenset((path, document(path, one).oid) for one in approved),
        )
        found = lifecycle_findings(snap, memory_changes(snap))
        return [(one.rule, one.weight.value, one.line) for one in found]

    reviewed, draft = text(), text(confidence="agent-drafted")
    assert told(reviewed) == [("self-reviewed", "warning", 8)]
    assert told(reviewed, before=text(confidence="")) == [("self-reviewed", "warning", 8)]
    assert told(reviewed, before=draft) == [("gate-bypassed", "failure", 8)]
    assert told(reviewed, reviewed) == []
    assert told(text(body="Other."), before=reviewed) == []
    assert told(draft) == told(text(review="user-review-recommended")) == []


def test_an_agent_that_writes_an_entry_as_a_person_is_told() -> None:
    path = ".cursor/memory/session-handoff.md"
    own, theirs = entry("1-0-state", author="human"), entry("1-0-state-2", author="human")
    head = cursor_store("", [entries("session-handoff.md", own, theirs, entry("1-0-state-3"))])
    assert head
    snap = snapshot(
        head=[head],
        files=[file(path, "added")],
        commits=[commit(author=ROBOT, added={path: own}), commit(added={path: theirs})],
    )
    (found,) = lifecycle_findings(snap, memory_changes(snap))
    assert (found.rule, found.weight.value, found.line) == ("self-reviewed", "warning", 8)
    assert "entry 1-0-state," in found.message
