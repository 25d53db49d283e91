"""The verbs that move settled memories on: what they write, say and refuse."""

from dataclasses import replace

import pytest

from bot.commands.context import Context
from bot.commands.outcome import Refused
from bot.core.edit_plan import DONE
from bot.core.model import TreeFile
from bot.core.report import Finding, Section, Weight
from tests.commands.making import context, edits, file, memory_file, report, said, store_tree, texts

OLD = memory_file("20261001-old", "active", title="Use *MySQL*")
NEW = memory_file("20261009-new", title="Use Postgres")
UTC = memory_file("20261005-utc", "active", type_="constraint", title="UTC only")
THREAD = memory_file("20261006-thread", "active", type_="thread", title="Ask ops")
BLOCK = b"<!-- memoryrail:start -->\n<!-- memoryrail:end -->\n"
SETTLED = context(OLD, NEW, UTC, THREAD, base=(store_tree(OLD, UTC, THREAD).store,))


def text_of(data: bytes | None) -> str:
    return (data or b"").decode()


@pytest.mark.parametrize(
    ("comment", "path", "written", "answer"),
    [
        (
            "archive 20261001-old: we @left it",
            OLD.path,
            'status: "archived"',
            "Archived **DEC-da6f** · Use \\*MySQL\\*. Reason: we @&#8203;left it",
        ),
        ("resolve THR-87de", THREAD.path, 'status: "resolved"', "Resolved **THR-87de** · Ask ops."),
        (
            "confirm 20261001-old",
            OLD.path,
            'updated: "2026-10-10T17:30:00.000Z"',
            "Confirmed **DEC-da6f** · Use \\*MySQL\\*.",
        ),
        ("pin 20261005-utc", UTC.path, "pinned: true", "Pinned **CON-f27c** · UTC only."),
    ],
)
def test_what_is_written_and_said(comment: str, path: str, written: str, answer: str) -> None:
    batch = said(f"/memoryrail {comment}", SETTLED)
    assert list(edits(batch)) == [path]
    assert written in text_of(edits(batch)[path])
    assert texts(batch) == [answer]
    assert batch.upheld == {path}


def test_what_is_archived_leaves_the_blocks() -> None:
    on = context(OLD, UTC, file("AGENTS.md", BLOCK))
    (synced,) = edits(said("/memoryrail sync", on)).values()
    assert "DEC-da6f" in text_of(synced)
    on = context(OLD, UTC, file("AGENTS.md", synced or b""))
    written = edits(said("/memoryrail archive 20261001-old", on))
    assert "DEC-da6f" not in text_of(written["AGENTS.md"])


def test_what_is_new_here_is_not_held_as_approved() -> None:
    """Else rejecting would delete it, as it does to undo an approval."""
    batch = said("/memoryrail confirm 20261001-old", context(OLD))
    assert edits(batch)
    assert batch.upheld == frozenset()
    approved = context(OLD, approved=frozenset({OLD.path}))
    assert said("/memoryrail confirm 20261001-old", approved).upheld == {OLD.path}


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("archive", "This names no memory. Write `/memoryrail archive REF… [: reason]`."),
        ("archive 20261009-new", "is proposed, so it cannot be archived. Approve or reject it."),
        ("resolve 20261001-old", "Only a thread can be resolved"),
        ("confirm DEC-da6e", "There is no memory DEC-da6e. Did you mean DEC-da6f (Use"),
        ("pin 20261001-old", "is of type decision. Only a constraint can be pinned."),
        ("unpin CON-f27c", "is not pinned. There is nothing to do."),
        ("pin CON-f27c please", "There is no memory `please`."),
    ],
)
def test_what_is_refused(comment: str, says: str) -> None:
    batch = said(f"/memoryrail {comment}", SETTLED)
    assert batch.plan is None
    assert isinstance(batch.outcomes[0][1], Refused)
    assert says in texts(batch)[0]


def with_finding(rule: str, memory: TreeFile) -> Context:
    finding = Finding(
        section=Section.MEMORY,
        weight=Weight.FAILURE,
        rule=rule,
        message="CON-f27c (UTC only) is weaker.",
        path=memory.path,
    )
    return replace(SETTLED, report=replace(report(changed=[memory]), findings=(finding,)))


@pytest.mark.parametrize(
    ("comment", "rule", "is_done"),
    [
        ("confirm", "links-narrowed", False),
        ("confirm", "unpinned", False),
        ("confirm", "reworded", True),
        ("pin", "links-narrowed", False),
        ("pin", "unpinned", True),
        ("archive", "links-narrowed", True),
    ],
)
def test_a_command_seals_nothing_that_the_pull_request_weakened(
    comment: str, rule: str, is_done: bool
) -> None:
    """A maintainer who says that a memory still holds does not say that it may cover less."""
    batch = said(f"/memoryrail {comment} CON-f27c", with_finding(rule, UTC))
    assert bool(edits(batch)) is is_done
    if not is_done:
        assert texts(batch) == [
            "Nothing was changed. CON-f27c (UTC only) is weaker. Mend that first."
        ]


def test_stores_of_one_repository_are_planned_each_in_its_place() -> None:
    shop = memory_file("20261007-shop", "active", root="apps/shop/")
    both = replace(SETTLED, trees=(*SETTLED.trees, store_tree(shop, root="apps/shop/")))
    batch = said("/memoryrail archive 20261007-shop 20261001-old", both)
    assert list(edits(batch)) == [OLD.path, shop.path]


def test_every_verb_that_is_planned_has_its_words() -> None:
    comment = (
        "/memoryrail confirm CON-f27c\n/memoryrail resolve THR-87de\n"
        "/memoryrail supersede DEC-da6f with DEC-e65d"
    )
    batch = said(comment, SETTLED)
    assert batch.plan is not None
    assert set(batch.plan.verbs) <= set(DONE)
    assert batch.plan.title == (
        "memoryrail: confirm CON-f27c, resolve THR-87de, supersede DEC-da6f with…"
    )


def test_what_is_so_already_makes_no_commit() -> None:
    """`updated` is never earlier than `created`, so here it stands already."""
    data = (OLD.data or b"").replace(b"2026-10-01T08:00", b"2026-12-01T08:00")
    batch = said("/memoryrail confirm 20261001-old", context(file(OLD.path, data)))
    assert (batch.plan, batch.is_refused) == (None, False)
    assert texts(batch) == ["Nothing had to be changed."]
    (shown,) = texts(said("/memoryrail confirm DEC-da6f --dry-run", context(file(OLD.path, data))))
    assert shown.endswith("\n\nNo file would change.")
