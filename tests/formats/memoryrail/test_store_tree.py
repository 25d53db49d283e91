"""Plans on a store: what they were made on, our blocks in them, and the moments they write."""

from datetime import datetime, timedelta, timezone

import pytest

from bot.core.model import TreeFile
from bot.core.sync import place
from bot.formats.memoryrail.store_tree import after, timestamp
from tests.formats.memoryrail.trees import (
    CONFIG,
    NEW,
    NOW,
    OLD,
    file,
    memory_file,
    plan,
    store_tree,
)


def test_a_plan_says_what_it_was_made_on() -> None:
    planned = plan("approve", store_tree([CONFIG, OLD, NEW]), "20261009-new")
    assert [edit.expected_oid for edit in planned.edits] == [OLD.oid, NEW.oid]
    assert [(action.verb, action.memory.id) for action in planned.actions] == [
        ("approve", "20261009-new")
    ]
    ref = planned.actions[0].memory.ref
    assert planned.title == f'memoryrail: approve {ref} "On 20261009-new"'


@pytest.mark.parametrize("op", ["approve", "archive", "confirm"])
def test_nothing_is_updated_before_it_was_created(op: str) -> None:
    made = memory_file("20261009-new", "proposed" if op == "approve" else "active")
    text = (made.data or b"").replace(b'created: "2026', b'created: "2099')
    (edit,) = plan(op, store_tree([CONFIG, file(made.path, text)]), "20261009-new").edits
    assert b'updated: "2099-10-01T08:00:00.000Z"' in (edit.data or b"")


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
