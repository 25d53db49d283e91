"""Blocks of ours follow the memories; everything else is left alone, and said."""

from bot.core.edit_plan import FileEdit
from bot.core.model import TreeFile
from bot.core.sync import END, START, place
from bot.core.sync.regenerate import regenerated
from tests.making import memory

OLD, NEW = memory("20261001-old"), memory("20261002-new", title="New")


def agents(data: bytes | None, **fields: object) -> TreeFile:
    return TreeFile(path="AGENTS.md", oid="oid", data=data, **fields)  # type: ignore[arg-type]  # real fields


def test_our_block_is_brought_into_step() -> None:
    before = place(b"# Text\n", [OLD], path="AGENTS.md")
    edits, notes = regenerated([agents(before)], [OLD, NEW])
    after = place(before, [OLD, NEW], path="AGENTS.md")
    assert edits == (FileEdit(path="AGENTS.md", data=after, expected_oid="oid"),)
    assert not notes
    assert after.startswith(b"# Text\n")


def test_what_is_in_step_or_has_no_block_needs_nothing() -> None:
    in_step = place(b"", [OLD], path="AGENTS.md")
    for file in (agents(in_step), agents(b"no block"), agents(b"CLAUDE.md", is_symlink=True)):
        assert regenerated([file], [OLD]) == ((), ())


def test_what_is_left_alone_is_said() -> None:
    foreign = f"{START}\n- DEC-0000 another\n{END}\n".encode()
    (note,) = regenerated([agents(foreign)], [OLD])[1]
    assert "another tool" in note
    (note,) = regenerated([agents(f"\n{START}\n".encode())], [OLD])[1]
    assert "line 2: the block that begins here has no end" in note
    edits, (note,) = regenerated([agents(None, unread="it is too large")], [OLD])
    assert not edits
    assert note == "AGENTS.md was left alone: it is too large."
