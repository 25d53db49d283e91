"""The bot's own branch for a comment."""

from bot.handlers.after_merge import branch_of
from bot.store.audit import AuditOutcome, AuditRow


def row(verb: str, refs: str) -> AuditRow:
    return AuditRow(
        comment="issuecomment-1",
        digest="d",
        position=0,
        actor_id=1,
        verb=verb,
        refs=refs,
        outcome=AuditOutcome.PLANNED,
    )


def test_a_branch_is_named_after_the_first_command_and_the_comment() -> None:
    rows = [row("approve", "DEC-a3f9 DEC-ffff"), row("pin", "CON-1111")]
    name = branch_of(12, rows, "issuecomment-1", "d")
    assert name.startswith("memoryrail/pr-12-approve-DEC-a3f9-DEC-ffff-")
    assert branch_of(12, rows[:1], "issuecomment-1", "d") == name
    assert branch_of(12, rows, "issuecomment-2", "d") != name
    assert branch_of(12, rows, "issuecomment-1", "e") != name


def test_nothing_that_somebody_writes_makes_a_name_that_git_refuses() -> None:
    for refs in ("../../x.lock", "a b~^:?*[\\@{", "é\n\0", "x" * 500, ""):
        name = branch_of(1, [row("approve", refs)], "issuecomment-1", "d")
        assert len(name) < 100
        assert name.removeprefix("memoryrail/").replace("-", "").isalnum()
        assert name.isascii()
