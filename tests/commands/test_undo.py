"""`undo`: the last commit of commands is taken back, and only that."""

from dataclasses import replace

import pytest

from bot.commands.context import Context, OwnChange, OwnCommit
from bot.commands.grammar import Command
from bot.commands.outcome import Refused, Shown, TakenBack
from bot.commands.undo import judged_as
from bot.core.edit_plan import reverted
from bot.core.kept import Kept
from bot.core.model import TreeFile
from tests.commands.making import context, edits, memory_file, said, store_tree, texts

WAS = memory_file("20261005-plain", title="UTC only")
NOW_ACTIVE = memory_file("20261005-plain", "active", title="UTC only")
GONE = memory_file("20261006-gone")
SHA = "c" * 40
LAST = OwnCommit(
    sha=SHA,
    at_ms=20,
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
        (
            "undo --dryrun",
            LAST,
            "acknowledged or ignored can be named. Write `/memoryrail undo [ack REF…|ignore FING",
        ),
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
    assert "stands in a comment of its own" in texts(second)[1]
    assert first.is_refused


ACK = Kept(verb="ack", name=NOW_ACTIVE.path, number=1, comment="issuecomment-1", at_ms=10)
IGNORED = Kept(verb="ignore", name="0123456789abcdef", number=2, comment="issuecomment-2", at_ms=30)


def kept(*kept: Kept, last: OwnCommit | None = None, number: int = 1) -> Context:
    return context(
        NOW_ACTIVE,
        base=(store_tree(NOW_ACTIVE).store,),
        kept=kept,
        last=last,
        number=number,
        written_ms=40,
    )


@pytest.mark.parametrize(
    ("comment", "undone"),
    [
        ("undo ack DEC-7534", ACK),
        ("undo ACK [per 20261005-plain]", ACK),
        ("undo ignore `0123456789ABCDEF`", IGNORED),  # of another pull request
    ],
)
def test_what_was_kept_is_taken_back_by_name(comment: str, undone: Kept) -> None:
    batch = said(f"/memoryrail {comment}", kept(ACK, IGNORED))
    (outcome,) = (outcome for _, outcome in batch.outcomes)
    assert isinstance(outcome, TakenBack)
    assert (outcome.kept, outcome.words[0], outcome.is_told) == ((undone,), undone.verb, False)
    assert batch.plan is None


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("undo ack", "This names no memory. Write `/memoryrail undo [ack REF…"),
        ("undo ack DEC-7534", "DEC-7534 (UTC only) is not acknowledged on this pull request."),
        ("undo ack DEC-7535", "Did you mean DEC-7534"),
        ("undo ignore", "This names no fingerprint. Write `/memoryrail undo [ack REF…"),
        ("undo ignore fedcba9876543210", "This repository does not ignore `fedcba9876543210`."),
    ],
)
def test_what_was_not_kept_cannot_be_taken_back(comment: str, says: str) -> None:
    batch = said(f"/memoryrail {comment}", kept(IGNORED))
    assert isinstance(batch.outcomes[0][1], Refused)
    assert says in texts(batch)[0]


@pytest.mark.parametrize(
    ("on", "words"),
    [
        (kept(ACK), ("ack", "DEC-7534")),
        (kept(ACK, IGNORED), ("ack", "DEC-7534")),  # the other is of another pull request
        (kept(ACK, IGNORED, number=2), ("ignore", "0123456789abcdef")),
        (kept(replace(ACK, at_ms=21), last=LAST), ("ack", "DEC-7534")),
        (
            kept(ACK, replace(IGNORED, number=1, comment=ACK.comment)),
            (*("ack", "DEC-7534"), *("ignore", "0123456789abcdef")),
        ),
        (kept(ACK, replace(IGNORED, number=1)), ("ignore", "0123456789abcdef")),
        (kept(replace(ACK, is_undone=True), replace(IGNORED, number=1)), ("ack", "DEC-7534")),
    ],
)
def test_what_was_done_last_is_undone(on: Context, words: tuple[str, ...]) -> None:
    batch = said("/memoryrail undo", on)
    (outcome,) = (outcome for _, outcome in batch.outcomes)
    assert isinstance(outcome, TakenBack)
    assert (outcome.words, outcome.is_told) == (words, True)
    assert batch.plan is None


def test_a_commit_that_came_later_is_undone_first() -> None:
    batch = said("/memoryrail undo", kept(ACK, last=LAST))
    assert batch.plan is not None
    assert batch.plan.reverts == SHA


def test_what_was_kept_since_is_not_undone_unless_named() -> None:
    late = kept(replace(ACK, at_ms=40))
    assert "write `/memoryrail undo ack DEC-7534`" in texts(said("/memoryrail undo", late))[0]
    assert texts(said("/memoryrail undo ack DEC-7534", late)) == [""]


def test_a_dry_run_takes_nothing_back() -> None:
    for comment in ("undo --dry-run", "undo ack DEC-7534 --dry-run"):
        batch = said(f"/memoryrail {comment}", kept(ACK))
        assert isinstance(batch.outcomes[0][1], Shown)
        assert texts(batch) == ["Would take back `ack DEC-7534`. No file would change."]


def test_who_takes_back_must_be_allowed_what_is_taken_back() -> None:
    def judged(*words: str, on: Context | None = None) -> tuple[str, ...]:
        return judged_as(Command(verb="undo", words=words), on)

    assert judged_as(Command(verb="ack", words=("DEC-7534",))) == ("ack",)
    assert (judged("Ack", "DEC-7534"), judged("ignore"), judged("x")) == (
        ("ack",),
        ("ignore",),
        ("undo",),
    )
    assert judged() == ("undo", "ack", "ignore")
    assert judged(on=kept(ACK)) == ("undo", "ack")
    assert judged(on=kept(ACK, last=LAST)) == ("undo",)
