"""`reject REF… [: reason]`: the file goes, and the reason is told."""

from tests.commands.making import context, edits, memory_file, report, said, texts

OLD = memory_file("20261001-old", "active")
NEW = memory_file("20261009-new", title="New", supersedes="20261001-old")


def test_the_file_is_deleted() -> None:
    batch = said("/memoryrail reject 20261009-new: not *now*, @kim", context(OLD, NEW))
    assert edits(batch) == {NEW.path: None}
    assert texts(batch) == ["Rejected **DEC-e65d** · New. Reason: not now, @&#8203;kim"]
    assert batch.plan is not None
    assert batch.plan.body == "Reason for DEC-e65d: not now, @ kim"


def test_only_proposals_are_rejected() -> None:
    batch = said("/memoryrail reject 20261001-old", context(OLD, NEW))
    assert not edits(batch)
    assert "is active. Only a proposal can be rejected." in texts(batch)[0]


def test_a_proposal_of_the_base_may_be_rejected_anywhere() -> None:
    on = context(OLD, NEW, report=report())
    assert edits(said("/memoryrail reject 20261009-new", on)) == {NEW.path: None}
    assert "DEC-e65d" in texts(said("/memoryrail reject", on))[0]


def test_without_a_ref_the_proposals_are_shown() -> None:
    assert "Write which ones to reject" in texts(said("/memoryrail reject: no", context(NEW)))[0]
