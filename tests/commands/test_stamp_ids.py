"""`stamp-ids`: documents get the ids that they lack; what else there is, is said."""

from itertools import count
from uuid import UUID

from bot.commands.context import Context
from bot.commands.run import reply
from bot.core.model import TreeFile
from bot.formats import jumpybrain
from bot.formats.memoryrail.store_tree import StoreTree
from tests.commands.making import NOW, context, edits, memory_file, report, said, store_tree, texts
from tests.formats.jumpybrain.making import config, file, text

A, B = "memory/notes/a.md", "memory/notes/b.md"


def documents(*files: TreeFile, root: str = "") -> StoreTree:
    """A store of documents; root ends with a slash unless it is empty."""
    store = jumpybrain.read(root.rstrip("/"), [config(f"{root}memory/jumpybrain.json"), *files])
    assert store is not None
    return StoreTree(store=store, files=store.files)


def on(*trees: StoreTree, **fields: object) -> Context:
    numbers = count(1)
    changed = [one for tree in trees for one in tree.files.values()]
    return Context(
        trees=trees,
        now=NOW,
        new_uuid=lambda: UUID(int=next(numbers)),
        report=report(changed=changed),
        **fields,  # type: ignore[arg-type]  # the caller names real fields
    )


def test_documents_of_all_roots_are_stamped_in_one_commit() -> None:
    trees = documents(file(A, text(id=""))), documents(file(f"app/{B}", "b\n"), root="app/")
    batch = said("/memoryrail stamp-ids", on(*trees))
    assert list(edits(batch)) == [f"app/{B}", A]
    assert b'id: "mem_00000000-0000-0000-0000-000000000001"\n' in (edits(batch)[A] or b"")
    assert texts(batch) == [
        "- Stamped: 1 document in memory.\n- Stamped: 1 document in app/memory."
    ]
    assert not batch.is_refused


def test_a_dry_run_shows_them_and_twice_is_as_once() -> None:
    shown = said("/memoryrail stamp-ids --dry-run", on(documents(file(A, "a\n"))))
    assert shown.plan is None
    assert '+id: "mem_00000000' in texts(shown)[0]
    twice = said("/memoryrail stamp-ids\n/memoryrail stamp-ids", on(documents(file(A, "a\n"))))
    assert "every document at the head has an id" in texts(twice)[1]


def test_what_is_not_stamped_is_said() -> None:
    assert "no `jumpybrain.json`" in texts(said("/memoryrail stamp-ids", context()))[0]
    assert "takes no argument" in texts(said("/memoryrail stamp-ids all", on()))[0]
    foreign = said("/memoryrail stamp-ids", on(documents(file(A, text(id="note-7")))))
    assert foreign.is_refused
    assert f"{A} keeps its id" in texts(foreign)[0]
    many = [file(f"memory/notes/{number:03}.md", "x\n") for number in range(101)]
    batch = said("/memoryrail stamp-ids", on(documents(*many)))
    assert len(edits(batch)) == 100
    assert "- 1 more have none: write it again." in (reply(batch, ()) or "")
    assert batch.is_refused


def test_what_is_approved_stays_so_and_nothing_else_becomes_it() -> None:
    tree = documents(file(A, text(id="")), file(B, text(id="")))
    held = said("/memoryrail stamp-ids", on(tree, approved=frozenset({A})))
    assert held.upheld == {A}
    edited = on(tree, approved=frozenset({A}), unapproved=frozenset({A}))
    assert said("/memoryrail stamp-ids", edited).upheld == frozenset()


def test_approve_and_reject_decide_on_drafts_and_all_else_is_refused() -> None:
    draft = text(confidence="agent-drafted")
    tree = documents(file(A, draft), file(B, text(2, confidence="agent-drafted")))
    both = said(f"/memoryrail approve {A} {B}", on(tree))
    assert [b'"user-reviewed"' in (data or b"") for data in edits(both).values()] == [True, True]
    every = said("/memoryrail approve all", on(tree))
    assert edits(every) == edits(both)
    assert edits(said(f"/memoryrail reject {A}", on(tree))) == {A: None}
    refused = said(
        f"/memoryrail archive {A}\n/memoryrail pin {A}\n/memoryrail confirm {A}", on(tree)
    )
    for said_ in texts(refused):
        assert "Its format knows no such step: edit the document" in said_
    memories = store_tree(memory_file("20261001-keep-it", "active"))
    mixed = said(f"/memoryrail supersede 20261001-keep-it with {A}", on(tree, memories))
    assert "edit the document" in texts(mixed)[0]


def test_what_was_approved_and_then_edited_is_approved_again() -> None:
    tree = documents(file(A, text()))
    assert "was reviewed already" in texts(said(f"/memoryrail approve {A}", on(tree)))[0]
    again = said(f"/memoryrail approve {A}", on(tree, unapproved=frozenset({A})))
    assert again.upheld == {A}
    assert b"2026-10-10T17:30:00.000Z" in (edits(again)[A] or b"")
    link = texts(said(f"/memoryrail edit {A}", on(tree, head_url="https://x.example/o/r")))[0]
    assert "propose a memory" not in link
