"""`undo`: the last commit of commands is taken back, and only that."""

from dataclasses import replace

import pytest

from bot.commands.context import OwnChange, OwnCommit
from bot.core.edit_plan import reverted
from bot.core.model import TreeFile
from tests.commands.making import context, edits, memory_file, said, texts

WAS = memory_file("20261005-plain", title="UTC only")
NOW_ACTIVE = memory_file("20261005-plain", "active", title="UTC only")
GONE = memory_file("20261006-gone")
SHA = "c" * 40
LAST = OwnCommit(
    sha=SHA,
    subject='memoryrail: approve DEC-7534 "UTC only"',
    changes=(
        OwnChange(path=WAS.path, before=WAS, after_oid="2", now_oid="2"),
        OwnChange(path=GONE.path, before=GONE, after_oid=None, now_oid=None),
        OwnChange(path="new.md", before=None, after_oid="3", now_oid="3"),
    ),
)


def test_each_file_is_as_it_was_before() -> None:
    batch = said("/memoryrail undo", context(NOW_ACTIVE, last=LAST))
    assert edits(batch) == {WAS.path: WAS.data, GONE.path: GONE.data, "new.md": None}
    assert batch.plan is not None
    assert [edit.expected_oid for edit in batch.plan.edits] == ["2", None, "3"]
    assert batch.plan.title == 'memoryrail: undo approve DEC-7534 "UTC only"'
    assert reverted(f"{batch.plan.title}\n\n{batch.plan.body}\n") == SHA
    assert texts(batch) == ['Undone: approve DEC-7534 "UTC only".']
    assert batch.upheld == frozenset()


@pytest.mark.parametrize(
    ("comment", "last", "says"),
    [
        ("undo", None, "There is nothing to undo"),
        ("undo", replace(LAST, is_merge=True), "Commit ccccccc merged the base branch"),
        ("undo --dryrun", LAST, "This takes no argument. Write `/memoryrail undo`."),
        (
            "undo",
            replace(LAST, changes=(replace(LAST.changes[0], now_oid="9"), *LAST.changes[1:])),
            f"{WAS.path} is no longer as commit ccccccc left it.",
        ),
        (
            "undo",
            replace(LAST, changes=(replace(LAST.changes[1], now_oid="9"),)),
            f"{GONE.path} is no longer as commit ccccccc left it.",
        ),
        (
            "undo",
            replace(
                LAST,
                changes=(replace(LAST.changes[0], before=TreeFile(path=WAS.path, oid="1")),),
            ),
            "cannot be read as it was",
        ),
    ],
)
def test_what_is_refused(comment: str, last: OwnCommit | None, says: str) -> None:
    batch = said(f"/memoryrail {comment}", context(NOW_ACTIVE, last=last))
    assert batch.plan is None
    assert says in texts(batch)[0]


def test_an_undo_is_a_commit_of_its_own() -> None:
    on = context(NOW_ACTIVE, last=LAST)
    first = said("/memoryrail undo\n/memoryrail approve 20261005-plain", on)
    assert first.plan is not None
    assert first.plan.verbs == ("undo",)
    second = said("/memoryrail confirm 20261005-plain\n/memoryrail undo", on)
    assert second.plan is not None
    assert second.plan.verbs == ("confirm",)
    assert texts(first)[1] == texts(second)[1]
    assert "a commit that holds nothing else" in texts(second)[1]
    assert first.is_refused
