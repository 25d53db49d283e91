"""`supersede OLD with NEW`: both sides, or a note on the proposal."""

from dataclasses import replace

import pytest

from tests.commands.making import context, edits, memory_file, said, store_tree, texts

OLD = memory_file("20261001-old", "active", title="Use MySQL")
NEW = memory_file("20261009-new", "active", title="Use Postgres")
IDEA = memory_file("20261005-idea", title="Use Redis")
ON = context(OLD, NEW, IDEA, base=(store_tree(OLD).store,))


def test_both_sides_are_written() -> None:
    batch = said("/memoryrail supersede [per DEC-da6f] with `DEC-e65d`", ON)
    written = edits(batch)
    assert b'superseded_by: "20261009-new"' in (written[OLD.path] or b"")
    assert b'supersedes: "20261001-old"' in (written[NEW.path] or b"")
    assert texts(batch) == ["Superseded **DEC-da6f** · Use MySQL, by **DEC-e65d** · Use Postgres."]


def test_a_proposal_takes_its_place_once_it_is_approved() -> None:
    comment = "/memoryrail supersede DEC-da6f with 20261005-idea"
    batch = said(comment, ON)
    assert list(edits(batch)) == [IDEA.path]
    (text,) = texts(batch)
    assert text.startswith("Noted that **DEC-")
    assert text.endswith("is to replace **DEC-da6f** · Use MySQL once it is approved.")
    both = said(f"{comment}\n/memoryrail approve 20261005-idea", ON)
    assert list(edits(both)) == [OLD.path, IDEA.path]


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("DEC-da6f DEC-e65d", "Write `/memoryrail supersede OLD with NEW`."),
        ("DEC-da6f with", "Write `/memoryrail supersede OLD with NEW`."),
        ("20261005-idea with DEC-e65d", "wants to replace DEC-"),
        ("DEC-da6f with 20261001-old", "DEC-da6f (Use MySQL) cannot replace itself."),
        ("DEC-ffff with THR-ffff", "There is no memory THR-ffff."),
    ],
)
def test_what_is_refused(comment: str, says: str) -> None:
    batch = said(f"/memoryrail supersede {comment}", ON)
    assert batch.plan is None
    assert says in texts(batch)[0]


def test_what_nobody_approved_replaces_nothing() -> None:
    batch = said(
        "/memoryrail supersede DEC-da6f with DEC-e65d",
        replace(ON, unapproved=frozenset({NEW.path})),
    )
    assert batch.plan is None
    assert "no maintainer approved it as it stands" in texts(batch)[0]


def test_a_memory_replaces_one_of_its_own_store() -> None:
    shop = memory_file("20261007-shop", "active", root="apps/shop/")
    both = replace(ON, trees=(*ON.trees, store_tree(shop, root="apps/shop/")))
    (text,) = texts(said("/memoryrail supersede DEC-da6f with 20261007-shop", both))
    assert "lie in different stores" in text
