"""Approving, rejecting and confirming: the plan's bytes, and what may not be done."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.errors import BotError
from bot.core.model import MemoryStore, Status, TreeFile
from bot.core.refs import resolve
from bot.formats import memoryrail
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.conditions import (
    AlreadyActive,
    AlreadySuperseded,
    HoldsSecret,
    MissingTarget,
    NotActive,
    NotProposed,
)
from bot.formats.memoryrail.store_tree import after, timestamp
from tests.formats.memoryrail.trees import (
    CONFIG,
    NEW,
    NOW,
    OLD,
    file,
    memory_file,
    on_base,
    plan,
    store_tree,
)


def test_approve_then_read_gives_active_and_both_sides() -> None:
    found = store_tree([CONFIG, OLD, NEW])
    now = after(found, plan("approve", found, "20261009-new"))
    again = memoryrail.read("", list(now.files.values()))
    assert again is not None
    assert again.memories == now.store.memories
    assert [(one.id, one.status.value, one.superseded_by) for one in again.memories] == [
        ("20261001-old", "superseded", "20261009-new"),
        ("20261009-new", "active", None),
    ]
    assert not again.problems


spellings = st.sampled_from(["{}", '"{}"', "'{}'", "{} # why", '"{}"   # why', ">-\n  {}", "!x {}"])
others = st.sampled_from(
    ["", "# a comment", "x:\n  status: proposed", "tags: [a, b]", "links:\n- src", "pinned: true"]
)


@given(
    status=spellings,
    updated=spellings,
    more=st.lists(others, max_size=3, unique=True),
    end=st.sampled_from([b"\n", b"\r\n"]),
    body=st.binary(max_size=20),
    data=st.data(),
)
def test_approve_then_read_gives_active_however_it_was_written(
    *, status: str, updated: str, more: list[str], end: bytes, body: bytes, data: st.DataObject
) -> None:
    """And nothing else reads otherwise than before, the old memory included."""
    lines = [
        *("id: 20261009-new", "type: decision", "title: 'On: it'", "supersedes: 20261001-old"),
        f"status: {status.format('proposed')}",
        "created: 2026-10-01T08:00Z",
        f"updated: {updated.format('2026-10-01T08:00Z')}",
        *more,
    ]
    text = "\n".join(["---", *data.draw(st.permutations(lines)), "---", ""])
    made = file(NEW.path, text.encode().replace(b"\n", end) + body)
    found = store_tree(data.draw(st.permutations([CONFIG, OLD, made])))
    before = resolve(found.store.memories, "20261009-new")
    again = memoryrail.read(
        "", list(after(found, plan("approve", found, before.id)).files.values())
    )
    assert again is not None
    old, new = again.memories
    assert new == replace(before, status=Status.ACTIVE, updated=timestamp(NOW), lines=new.lines)
    assert (old.status, old.superseded_by, old.updated) == ("superseded", new.id, timestamp(NOW))


def test_after_a_rejection_the_memory_is_gone() -> None:
    found = store_tree([CONFIG, OLD, NEW])
    now = after(found, plan("reject", found, "20261009-new"))
    assert [memory.id for memory in now.store.memories] == ["20261001-old"]
    assert sorted(now.files) == [".memoryrail/config.json", OLD.path]


def test_rejecting_undoes_an_approval_and_nothing_else() -> None:
    proposed = store_tree([CONFIG, OLD, NEW])
    found = after(proposed, plan("approve", proposed, "20261009-new"))
    approved = resolve(found.store.memories, "20261009-new")
    undone = lifecycle.reject(
        found, approved, base=on_base(OLD), approved=frozenset({approved.path})
    )
    assert {edit.path: edit.data for edit in undone.edits} == {NEW.path: None, OLD.path: OLD.data}
    with pytest.raises(NotProposed):
        lifecycle.reject(found, approved, base=on_base(OLD), approved=frozenset({OLD.path}))


BY_OTHER = memory_file("20261001-old", "superseded", superseded_by="20261005-other")
OTHER = memory_file("20261005-other", "active", supersedes="20261001-old")


@pytest.mark.parametrize(
    ("files", "base", "error", "says"),
    [
        ([NEW], None, MissingTarget, "20261001-old, which is no memory here"),
        ([NEW, BY_OTHER], None, AlreadySuperseded, "20261005-other has replaced meanwhile"),
        ([NEW, OLD, OTHER], None, AlreadySuperseded, "20261005-other has replaced meanwhile"),
        ([NEW, OLD], on_base(BY_OTHER), AlreadySuperseded, "20261005-other"),
        ([NEW, OLD], on_base(OLD, OTHER), AlreadySuperseded, "20261005-other"),
        ([NEW, memory_file("20261001-old", "proposed")], None, MissingTarget, "Decide that first"),
        ([memory_file("20261009-new", "active")], None, AlreadyActive, "active already"),
        ([memory_file("20261009-new", "archived")], None, NotProposed, "is archived"),
        (
            [memory_file("20261009-new", "proposed", supersedes="20261009-new")],
            None,
            MissingTarget,
            "replace itself",
        ),
    ],
)
def test_what_cannot_be_approved(
    files: list[TreeFile], base: MemoryStore | None, error: type[BotError], says: str
) -> None:
    found = store_tree([CONFIG, *files])
    memory = resolve(found.store.memories, "20261009-new")
    with pytest.raises(error, match=says):
        lifecycle.approve(found, memory, now=NOW, base=base)


def test_confirming_bumps_updated_alone() -> None:
    found = store_tree([CONFIG, OLD])
    [edit] = lifecycle.confirm(found, found.store.memories[0], now=NOW).edits
    expected = (OLD.data or b"").replace(
        b'updated: "2026-10-01T08:00:00.000Z"', b'updated: "2026-10-10T17:30:00.000Z"'
    )
    assert edit.data == expected
    proposal = store_tree([CONFIG, NEW])
    with pytest.raises(NotActive, match="cannot be confirmed"):
        lifecycle.confirm(proposal, proposal.store.memories[0], now=NOW)


def test_what_holds_a_credential_is_not_approved() -> None:
    key = "AK" + "IA" + "Q7XK2M5VN3JPRT4C"
    text = (memory_file("20261009-new", "proposed").data or b"").decode() + f"use {key}\n"
    leaking = store_tree([CONFIG, file(NEW.path, text)])
    with pytest.raises(HoldsSecret) as refused:
        plan("approve", leaking, "20261009-new")
    assert key not in str(refused.value)
    reviewed = store_tree([CONFIG, file(NEW.path, text.replace(key, f"{key} # gitleaks:allow"))])
    assert plan("approve", reviewed, "20261009-new").edits
