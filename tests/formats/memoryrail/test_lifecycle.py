"""Approving, rejecting, archiving and resolving: the plan's bytes, and what may not be done."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.edit_plan import EditPlan
from bot.core.errors import BotError
from bot.core.model import MemoryStore, Status, TreeFile
from bot.core.refs import resolve
from bot.core.sync import place
from bot.formats import memoryrail
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.lifecycle import (
    AlreadyActive,
    AlreadySuperseded,
    CannotReplace,
    HoldsSecret,
    MissingTarget,
    NotActive,
    NotProposed,
    SettledOnBase,
    StoreTree,
    after,
    timestamp,
)

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)


def store_tree(files: Sequence[TreeFile], root: str = "") -> StoreTree:
    store = memoryrail.read(root, files)
    assert store is not None
    return StoreTree(store=store, files={file.path: file for file in files})


def plan(op: str, found: StoreTree, ref: str, now: datetime = NOW) -> EditPlan:
    memory = resolve(found.store.memories, ref)
    if op == "reject":
        return lifecycle.reject(found, memory)
    move: Callable[..., EditPlan] = getattr(lifecycle, op)
    return move(found, memory, now=now)


def memory_file(id_: str, status: str, type_: str = "decision", **fields: str) -> TreeFile:
    more = "".join(f'{name}: "{value}"\n' for name, value in fields.items())
    text = (
        f'---\nid: "{id_}"\ntype: "{type_}"\ntitle: "On {id_}"\nstatus: "{status}"\n'
        f'created: "2026-10-01T08:00:00.000Z"\nupdated: "2026-10-01T08:00:00.000Z"\n{more}---\nB.\n'
    )
    return file(f".memoryrail/memories/{id_}.md", text)


def file(path: str, text: str | bytes) -> TreeFile:
    data = text if isinstance(text, bytes) else text.encode()
    return TreeFile(path=path, oid=f"oid of {path}", data=data)


CONFIG = file(".memoryrail/config.json", '{"version": 1}')
OLD = memory_file("20261001-old", "active")
NEW = memory_file("20261009-new", "proposed", supersedes="20261001-old")


def test_a_plan_says_what_it_was_made_on() -> None:
    planned = plan("approve", store_tree([CONFIG, OLD, NEW]), "20261009-new")
    assert [edit.expected_oid for edit in planned.edits] == [OLD.oid, NEW.oid]
    assert [(action.verb, action.memory.id) for action in planned.actions] == [
        ("approve", "20261009-new")
    ]
    ref = planned.actions[0].memory.ref
    assert planned.title == f'memoryrail: approve {ref} "On 20261009-new"'


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


def on_base(*files: TreeFile) -> MemoryStore:
    return store_tree([CONFIG, *files]).store


@pytest.mark.parametrize("op", ["approve", "reject"])
@pytest.mark.parametrize("path", ["20261001-old", "20261001-moved"])
def test_what_the_base_has_settled_is_not_decided_on(op: str, path: str) -> None:
    text = (OLD.data or b"").replace(b'"active"', b'"proposed"')
    found = store_tree([CONFIG, file(f".memoryrail/memories/{path}.md", text)])
    (memory,) = found.store.memories
    arguments = {"now": NOW} if op == "approve" else {}
    with pytest.raises(SettledOnBase) as error:
        getattr(lifecycle, op)(found, memory, base=on_base(OLD), **arguments)
    assert str(error.value).endswith(
        "(On 20261001-old) is active on the base branch, so it is no proposal to decide on. "
        "Restore .memoryrail/memories/20261001-old.md as it is there."
    )


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


@pytest.mark.parametrize("op", ["approve", "archive", "confirm"])
def test_nothing_is_updated_before_it_was_created(op: str) -> None:
    made = memory_file("20261009-new", "proposed" if op == "approve" else "active")
    text = (made.data or b"").replace(b'created: "2026', b'created: "2099')
    (edit,) = plan(op, store_tree([CONFIG, file(made.path, text)]), "20261009-new").edits
    assert b'updated: "2099-10-01T08:00:00.000Z"' in (edit.data or b"")


BY_OTHER = memory_file("20261001-old", "superseded", superseded_by="20261005-other")
BY_NEW = memory_file("20261001-old", "superseded", superseded_by="20261009-new")
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


@pytest.mark.parametrize("status", ["archived", "resolved"])
def test_a_memory_that_no_longer_binds_can_be_superseded(status: str) -> None:
    found = store_tree([CONFIG, memory_file("20261001-old", status), NEW])
    now = after(found, plan("approve", found, "20261009-new"))
    assert [memory.status.value for memory in now.store.memories] == ["superseded", "active"]


def test_an_old_memory_that_already_names_its_successor_stays_as_it_is() -> None:
    found = store_tree([CONFIG, BY_NEW, NEW])
    assert [edit.path for edit in plan("approve", found, "20261009-new").edits] == [NEW.path]


@pytest.mark.parametrize(
    ("op", "status", "error"),
    [
        ("archive", "proposed", NotActive),
        ("archive", "superseded", NotActive),
        ("resolve", "resolved", NotActive),
        ("reject", "superseded", NotProposed),
    ],
)
def test_what_cannot_be_moved_on(op: str, status: str, error: type[BotError]) -> None:
    found = store_tree([CONFIG, memory_file("20261001-it", status, "thread")])
    with pytest.raises(error, match=status):
        plan(op, found, "20261001-it")


def test_our_blocks_follow_in_the_same_plan() -> None:
    """A block is rewritten, one that another tool made is left alone, a file without one too."""
    before = store_tree([CONFIG, OLD, NEW])
    ours = file("AGENTS.md", place(b"# Hello\r\n", before.store.memories, path="AGENTS.md"))
    foreign = file(
        "CLAUDE.md", b"<!-- memoryrail:start -->\n- DEC-0000 else\n<!-- memoryrail:end -->\n"
    )
    none = file(".cursor/rules/memoryrail.mdc", b"no block")
    found = store_tree([CONFIG, OLD, NEW, ours, foreign, none])
    planned = plan("approve", found, "20261009-new")
    assert [edit.path for edit in planned.edits] == [OLD.path, NEW.path, "AGENTS.md"]
    now = after(found, planned)
    data = now.files["AGENTS.md"].data
    assert data == place(ours.data, now.store.memories, path="AGENTS.md")
    assert data != ours.data
    (note,) = planned.notes
    assert note.text.startswith("CLAUDE.md was left alone: another tool made its generated block.")


def test_a_store_below_the_root_has_its_own_agent_files() -> None:
    files = [
        TreeFile(path=f"apps/shop/{one.path}", oid=one.oid, data=one.data)
        for one in (CONFIG, OLD, NEW)
    ]
    empty = b"<!-- memoryrail:start -->\n<!-- memoryrail:end -->\n"
    found = store_tree(
        [*files, file("AGENTS.md", empty), file("apps/shop/AGENTS.md", empty)], "apps/shop"
    )
    planned = plan("archive", found, "20261001-old")
    assert [edit.path for edit in planned.edits] == [files[1].path, "apps/shop/AGENTS.md"]


@pytest.mark.parametrize(
    ("now", "written"),
    [
        (NOW, "2026-10-10T17:30:00.000Z"),
        (NOW.replace(microsecond=999_999), "2026-10-10T17:30:00.999Z"),
        (NOW.astimezone(timezone(timedelta(hours=2))), "2026-10-10T17:30:00.000Z"),
    ],
)
def test_timestamps_are_utc_with_milliseconds(now: datetime, written: str) -> None:
    assert timestamp(now) == written


def pair(old: TreeFile, new: TreeFile, *more: TreeFile) -> tuple[StoreTree, list[Any]]:
    found = store_tree([CONFIG, old, new, *more])
    return found, [resolve(found.store.memories, id_) for id_ in ("20261001-old", "20261009-new")]


def test_a_memory_that_is_there_can_supersede_another() -> None:
    found, (old, new) = pair(OLD, memory_file("20261009-new", "active"))
    planned = lifecycle.supersede(found, old, new, now=NOW)
    one, other = after(found, planned).store.memories
    assert (one.status, one.superseded_by, other.supersedes) == (
        "superseded",
        "20261009-new",
        "20261001-old",
    )
    assert one.updated == other.updated == "2026-10-10T17:30:00.000Z"


def test_a_proposal_only_notes_what_it_is_to_supersede() -> None:
    found, (old, new) = pair(OLD, memory_file("20261009-new", "proposed"))
    planned = lifecycle.supersede(found, old, new, now=NOW)
    assert [edit.path for edit in planned.edits] == [new.path]
    assert after(found, planned).store.memories[1].supersedes == "20261001-old"


@pytest.mark.parametrize(
    ("new", "says"),
    [
        (memory_file("20261009-new", "active", supersedes="20261005-other"), "replaces 20261005"),
        (memory_file("20261009-new", "archived"), "is archived"),
    ],
)
def test_what_cannot_supersede(new: TreeFile, says: str) -> None:
    found, (old, memory) = pair(OLD, new)
    with pytest.raises(CannotReplace, match=says):
        lifecycle.supersede(found, old, memory, now=NOW)


def test_no_memory_supersedes_its_own_successor() -> None:
    old = memory_file("20261001-old", "active", supersedes="20261003-between")
    between = memory_file("20261003-between", "superseded", supersedes="20261009-new")
    found, (first, new) = pair(old, memory_file("20261009-new", "active"), between)
    with pytest.raises(CannotReplace, match="was replaced by"):
        lifecycle.supersede(found, first, new, now=NOW)
    proposal = memory_file("20261009-new", "proposed", supersedes="20261001-old")
    with pytest.raises(CannotReplace, match="was replaced by"):
        plan("approve", store_tree([CONFIG, old, proposal, between]), "20261009-new")


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
