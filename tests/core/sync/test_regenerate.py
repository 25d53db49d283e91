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
    assert note.path == "AGENTS.md"
    assert "another tool" in note.text
    (note,) = regenerated([agents(f"\n{START}\n".encode())], [OLD])[1]
    assert "line 2: the block that begins here has no end" in note.text
    edits, (note,) = regenerated([agents(None, unread="it is too large")], [OLD])
    assert not edits
    assert note.text == "AGENTS.md was left alone: it is too large."


def test_what_nobody_approved_is_not_shown_anew() -> None:
    before = place(b"# Text\n", [OLD], path="AGENTS.md")
    edits, (note,) = regenerated([agents(before)], [OLD, NEW], unapproved={NEW.path})
    assert not edits
    assert "would show active memories that no maintainer approved" in note.text
    edits, notes = regenerated([agents(before)], [NEW], unapproved={OLD.path})
    assert edits
    assert not notes


def test_what_is_shown_already_holds_no_block_back() -> None:
    """The pull request itself put it there, for everyone to see."""
    before = place(b"", [OLD, NEW], path="AGENTS.md")
    third = memory("20261003-third", title="Third")
    edits, notes = regenerated([agents(before)], [OLD, NEW, third], unapproved={NEW.path})
    assert [edit.data for edit in edits] == [place(before, [OLD, NEW, third], path="AGENTS.md")]
    assert not notes
    reworded = memory("20261002-new", title="New words")
    assert regenerated([agents(before)], [OLD, reworded], unapproved={NEW.path})[1]
