"""`sync`: our blocks are brought into step; what is not ours is said."""

from tests.commands.making import context, edits, file, memory_file, said, texts

OLD = memory_file("20261001-old", "active", title="Use MySQL")
BLOCK = file("AGENTS.md", b"# A\n<!-- memoryrail:start -->\n<!-- memoryrail:end -->\n")


def test_a_block_is_brought_into_step() -> None:
    batch = said("/memoryrail sync", context(OLD, BLOCK))
    (data,) = edits(batch).values()
    assert b"- DEC-da6f: Use MySQL" in (data or b"")
    assert texts(batch) == ["Synced: AGENTS.md."]
    assert batch.plan is not None
    assert batch.plan.title == "memoryrail: sync AGENTS.md"
    again = said("/memoryrail sync", context(OLD, file("AGENTS.md", data or b"")))
    assert again.plan is None
    assert "no generated block at the head is out of step" in texts(again)[0]


def test_what_cannot_be_brought_into_step_is_said() -> None:
    batch = said("/memoryrail sync", context(OLD, file("AGENTS.md", b"<!-- memoryrail:end -->\n")))
    assert batch.is_refused
    assert "AGENTS.md was left alone: the markers" in texts(batch)[0]


def test_what_nobody_approved_stays_out() -> None:
    batch = said("/memoryrail sync", context(OLD, BLOCK, unapproved=frozenset({OLD.path})))
    assert batch.is_refused
    assert "no maintainer approved" in texts(batch)[0]


def test_a_misspelt_option_is_not_passed_over() -> None:
    batch = said("/memoryrail sync --dryrun", context(OLD, BLOCK))
    assert batch.plan is None
    assert texts(batch) == ["This takes no argument. Write `/memoryrail sync`."]
