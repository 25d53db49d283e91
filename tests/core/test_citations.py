"""Which memory a `[per REF]` means, and whether it holds."""

import dataclasses

import pytest

from bot.core.citations import citation_findings, citations
from tests.making import commit, memory, snapshot, store

NEW = memory("20261010-use-drizzle-over-prisma", title="Use Drizzle")  # DEC-5dbe
OLD = memory("20261001-keep-sqlite", status="superseded", superseded_by=NEW.id)  # DEC-74f0
QUEUE = memory("20261010-keep-invoice-queue", title="Queue")  # DEC-0663, as is the next
LEDGER = memory("20261010-keep-invoice-ledger", title="Ledger")
STORE = store(NEW, OLD, QUEUE, LEDGER)


@pytest.mark.parametrize(
    ("body", "state", "suggestion", "message"),
    [
        ("[per dec-5dbe]", "known", None, None),
        (f"[per {QUEUE.id}]", "known", None, None),
        ("[per DEC-5dbf]", "unknown", "DEC-5dbe", "names no memory. Did you mean DEC-5dbe?"),
        ("[per DEC-74f0]", "inactive", "DEC-5dbe", "that is superseded. Now DEC-5dbe holds."),
        ("[per DEC-0663]", "ambiguous", f"{LEDGER.id}, {QUEUE.id}", "could mean several memories."),
    ],
    ids=["known, any case", "an id", "unknown", "superseded", "ambiguous"],
)
def test_a_citation(body: str, state: str, suggestion: str | None, message: str | None) -> None:
    (found,) = citations(snapshot(base=[STORE], body=body))
    assert (found.state.value, found.suggestion, found.where) == (state, suggestion, "body")
    told = [finding.message for finding in citation_findings([found])]
    assert len(told) == (message is not None)
    assert all(message is not None and message in text for text in told)


def test_each_is_told_once_where_it_stands_first() -> None:
    snap = snapshot(
        base=[STORE],
        title="Move [per DEC-5dbe]",
        commits=[commit("1" * 40, message="Go\n\n[per dec-5dbe] [per DEC-ffff]")],
    )
    assert [(one.ref, one.where) for one in citations(snap)] == [
        ("DEC-5dbe", "title"),
        ("DEC-ffff", "1" * 40),
    ]


def test_a_change_may_cite_what_it_adds_but_a_proposal_does_not_hold_yet() -> None:
    added = memory("20261020-new", title="New")
    waiting = memory("20261021-wait", title="Wait", status="proposed")
    snap = snapshot(
        base=[STORE],
        head=[store(NEW, OLD, added, waiting)],
        body=f"[per {added.ref}] [per {waiting.ref}]",
    )
    assert [one.state.value for one in citations(snap)] == ["known", "inactive"]


def test_a_memory_that_moves_to_another_file_is_still_one() -> None:
    moved = dataclasses.replace(QUEUE, path="memory/notes/queue.md")
    (found,) = citations(
        snapshot(base=[store(QUEUE)], head=[store(moved)], body=f"[per {QUEUE.id}]")
    )
    assert (found.state.value, found.memory) == ("known", QUEUE)


def test_without_project_memory_nothing_is_cited() -> None:
    assert citations(snapshot(body="[per DEC-5dbe]")) == ()


def test_what_nobody_sees_cites_nothing() -> None:
    body = "Hello <!-- [per DEC-5dbe] --> [per DEC-74f0] <!-- [per DEC-ffff]"
    assert [one.ref for one in citations(snapshot(base=[STORE], body=body))] == ["DEC-74f0"]


def test_no_more_than_a_hundred_are_looked_up() -> None:
    commits = [
        commit(
            f"{number:040x}", message=" ".join(f"[per DEC-{number:02x}{i:02x}]" for i in range(60))
        )
        for number in range(10)
    ]
    assert len(citations(snapshot(base=[STORE], commits=commits))) == 100
