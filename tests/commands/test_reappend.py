"""`reappend`: the base's entries, then the branch's own, in one merge."""

from dataclasses import replace

import pytest

from bot.commands.context import Context, Fork
from bot.commands.outcome import Planned
from bot.core.edit_plan import Merge
from bot.core.model import TreeFile
from bot.formats import cursor
from bot.formats.memoryrail.store_tree import StoreTree
from tests.commands.making import NOW, edits, said, texts
from tests.formats.cursor.making import entry, file

HANDOFF, PATTERNS = "session-handoff.md", "patterns.md"
PATH = f".cursor/memory/{HANDOFF}"
FIRST = entry("1-0-state", correlation_id="1-0")
MINE = entry("2-0-state", correlation_id="2-0")
THEIRS = entry("3-0-state", correlation_id="3-0")
REWRITTEN = FIRST.replace("done", "blocked")
BASE_SHA = "b" * 40


def state(*entries: str) -> TreeFile:
    return file(HANDOFF, *entries)


def context(
    was: list[TreeFile], base: list[TreeFile], head: list[TreeFile], *, root: str = ""
) -> Context:
    """A branch that left its base where that had the files of was."""
    stores = [cursor.read(root, files) for files in (base, head)]
    assert stores[1] is not None
    return Context(
        trees=(StoreTree(store=stores[1], files=dict(stores[1].files)),),
        base=tuple(store for store in stores[:1] if store),
        fork=Fork(base_ref="main", base_sha=BASE_SHA, files={one.path: one for one in was}),
        now=NOW,
    )


BOTH = context([state(FIRST)], [state(FIRST, THEIRS)], [state(FIRST, MINE)])


def test_own_entries_follow_and_the_base_is_merged() -> None:
    batch = said("/memoryrail reappend", BOTH)
    assert edits(batch) == {PATH: state(FIRST, THEIRS, MINE).data}
    assert batch.plan is not None
    (edit,) = batch.plan.edits
    assert edit.expected_oid == state(FIRST, MINE).oid
    assert batch.plan.merge == Merge(
        sha=BASE_SHA, ref="main", theirs={PATH: state(FIRST, THEIRS).oid}
    )
    assert batch.plan.title == "memoryrail: reappend 1 entry behind those of main"
    assert batch.plan.body == "Merges main."
    ((_, outcome),) = batch.outcomes
    assert isinstance(outcome, Planned)
    assert not outcome.is_told


def test_an_id_that_both_have_is_told_in_answer_and_commit() -> None:
    rival = entry("3-0-state", correlation_id="3-0", body="Another text, of the same number.")
    batch = said("/memoryrail reappend", context([], [state(THEIRS)], [state(rival)]))
    new = rival.replace("id: 3-0-state\n", "id: 3-0-state-2\n")
    assert edits(batch) == {PATH: state(THEIRS, new).data}
    assert texts(batch) == [
        "Reappended: 1 entry behind those of main. 3-0-state is 3-0-state-2 now."
    ]
    assert batch.plan is not None
    assert batch.plan.body == "3-0-state is 3-0-state-2 now.\n\nMerges main."


def test_an_id_is_numbered_anew_in_a_file_that_is_in_no_conflict() -> None:
    mine = file("session-handoff.shared.md", entry("3-0-state", correlation_id="3-0"))
    batch = said(
        "/memoryrail reappend",
        context([state(FIRST)], [state(FIRST, THEIRS)], [state(FIRST), mine]),
    )
    assert list(edits(batch)) == [mine.path]
    assert batch.plan is not None
    assert batch.plan.merge is not None
    assert batch.plan.merge.theirs == {}


def test_a_file_that_the_base_has_moved_away_stays_away() -> None:
    archive = file("session-handoff.archive-2026.md", FIRST)
    mine = file(PATTERNS, entry("p-1", kind="pattern"))
    base = context([state(FIRST)], [archive], [state(FIRST, MINE), mine])
    batch = said("/memoryrail reappend", base)
    assert edits(batch) == {PATH: state(MINE).data}  # patterns.md is in nobody's way
    assert batch.plan is not None
    assert batch.plan.merge is not None
    assert batch.plan.merge.theirs == {PATH: None}


def test_files_that_only_one_branch_has_changed_are_in_nobodys_way() -> None:
    spaced = file(PATTERNS, "", "", entry("p-1", kind="pattern"))
    on = context([state(FIRST)], [state(FIRST, THEIRS)], [state(FIRST), spaced])
    assert "Nothing had to be changed" in texts(said("/memoryrail reappend", on))[0]


def test_a_credential_is_not_merged_and_not_shown() -> None:
    token = "ghp_" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz3Xc5"
    mine = entry("2-0-state", correlation_id="2-0", body=f"The token is {token} here.")
    on = context([state(FIRST)], [state(FIRST, THEIRS)], [state(FIRST, mine)])
    batch = said("/memoryrail reappend", on)
    assert batch.plan is None
    assert "looks like a credential" in texts(batch)[0]
    assert token not in texts(batch)[0]


@pytest.mark.parametrize(
    ("on", "says"),
    [
        (context([state(FIRST)], [state(FIRST)], [state(FIRST, MINE)]), "Nothing had to be"),
        (context([state(FIRST)], [state(FIRST, THEIRS)], [state(FIRST)]), "Nothing had to be"),
        (
            context([state(FIRST)], [state(FIRST, THEIRS)], [state(REWRITTEN)]),
            "This branch does more to",
        ),
        (
            context([state(FIRST)], [state(FIRST, THEIRS)], [state(FIRST, entry("x", status="y"))]),
            "The result would break rules of the format. session-handoff.md:",
        ),
        (
            context(
                [state(FIRST)],
                [state(FIRST, THEIRS)],
                [replace(state(FIRST, MINE), data=None, unread="it is larger than 1,024 KiB")],
            ),
            f"{PATH} cannot be put in order here: it is larger than 1,024 KiB. Merge by hand.",
        ),
        (replace(BOTH, fork=None), "is not known"),
    ],
)  # fmt: skip
def test_what_is_answered_and_not_done(on: Context, says: str) -> None:
    batch = said("/memoryrail reappend", on)
    assert batch.plan is None
    assert says in texts(batch)[0]


def test_it_takes_no_argument_and_stands_alone() -> None:
    assert "This takes no argument" in texts(said("/memoryrail reappend now", BOTH))[0]
    batch = said("/memoryrail reappend\n/memoryrail reappend", BOTH)
    assert edits(batch) == {PATH: state(FIRST, THEIRS, MINE).data}
    assert "so does `reappend`" in texts(batch)[1]


def test_a_dry_run_shows_what_the_file_gains() -> None:
    batch = said("/memoryrail reappend --dry-run", BOTH)
    assert batch.plan is None
    (text,) = texts(batch)
    assert text.startswith("Would reappend: 1 entry behind those of main.")
    assert "\n+id: 3-0-state\n" in text
