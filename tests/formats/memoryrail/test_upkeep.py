"""Relinking, pinning and unpinning: the plan's bytes, and what may not be done."""

from collections.abc import Callable

import pytest

from bot.core.edit_plan import EditPlan
from bot.formats.memoryrail import lifecycle, upkeep
from bot.formats.memoryrail.conditions import LifecycleError, NotActive, NotApproved, SettledOnBase
from bot.formats.memoryrail.store_tree import StoreTree, after
from bot.formats.memoryrail.upkeep import BadLink, CannotPin, NoSuchLink
from tests.commands.making import NOW, file, memory_file, store_tree

CON = "20261005-utc"
PATH = f".memoryrail/memories/{CON}.md"


def tree(
    links: str = '["src/db", "src/api/orders.py"]',
    *,
    status: str = "active",
    more: str = "",
    type_: str = "constraint",
    root: str = "",
) -> StoreTree:
    made = memory_file(CON, status, type_=type_, title="UTC only", root=root)
    lines = (made.data or b"").replace(b"---\nB.", f"links: {links}\n{more}---\nB.".encode())
    return store_tree(file(made.path, lines), root=root)


def relinked(found: StoreTree, old: str, new: str, **fields: object) -> EditPlan:
    memory = found.store.memories[0]
    return upkeep.relink(found, memory, old=old, new=new, now=NOW, **fields)  # type: ignore[arg-type]


def written(plan: EditPlan) -> str:
    (edit,) = plan.edits
    return (edit.data or b"").decode()


def test_a_link_is_replaced_and_nothing_else_but_the_moment() -> None:
    found = tree()
    plan = relinked(found, "src/db/", "./src/store/", reason="moved")
    before = (found.files[PATH].data or b"").decode()
    assert written(plan) == before.replace('["src/db",', '["src/store",').replace(
        'updated: "2026-10-01T08:00:00.000Z"', 'updated: "2026-10-10T17:30:00.000Z"'
    )
    (action,) = plan.actions
    assert (action.verb, action.detail, action.reason) == (
        "relink", "from src/db to src/store", "moved"
    )  # fmt: skip


def test_every_spelling_of_the_old_link_is_replaced() -> None:
    plan = relinked(tree('["src/db", "src/./db/", "src/api"]'), "src/db", "src/store")
    assert 'links: ["src/store", "src/store", "src/api"]' in written(plan)


def test_a_link_that_leads_out_can_be_mended() -> None:
    assert 'links: ["src"]' in written(relinked(tree('["../../etc"]'), "../../etc", "src"))


@pytest.mark.parametrize(
    ("old", "new", "error", "says"),
    [
        ("src/bd", "src/store", NoSuchLink, "does not link src/bd. Did you mean src/db?"),
        ("lib", "src/store", NoSuchLink, "It links src/db, src/api/orders.py."),
        ("src/db", "../up", BadLink, "cannot link ../up. Links are paths below the root"),
        ("src/db", ".", BadLink, "cannot link .."),
        ("src/db", "/etc", BadLink, "cannot link /etc"),
        ("src/db", "src/db/.", BadLink, "links src/db already."),
        ("src/db", "src/api/orders.py", BadLink, "already. Take src/db out of `links` in .memory"),
        ("src/db", "src/nothing", BadLink, "cannot link src/nothing: nothing is there."),
    ],
)
def test_what_cannot_be_linked(old: str, new: str, error: type[LifecycleError], says: str) -> None:
    with pytest.raises(error) as raised:
        relinked(tree(), old, new, missing={"src/nothing"})
    assert says in str(raised.value)


def test_no_credential_becomes_a_link() -> None:
    with pytest.raises(BadLink, match="credential"):
        relinked(tree(), "src/db", "src/ghp_" + "Zx9Qw3Er5Ty7Ui1Op2As4Df6Gh8Jk0Lz3Xc5")


def test_links_count_from_the_store() -> None:
    found = tree(root="apps/shop/")
    with pytest.raises(BadLink, match="Links count from apps/shop"):
        relinked(found, "src/db", "src/gone", missing={"apps/shop/src/gone"})
    assert relinked(found, "src/db", "src/gone", missing={"src/gone"}).edits


def test_a_constraint_is_pinned_and_unpinned() -> None:
    found = tree()
    pinned = upkeep.pin(found, found.store.memories[0], now=NOW)
    assert written(pinned).count("\npinned: true\n") == 1
    found = after(found, pinned)
    with pytest.raises(CannotPin, match="is pinned already"):
        upkeep.pin(found, found.store.memories[0], now=NOW)
    unpinned = upkeep.pin(found, found.store.memories[0], pinned=False, now=NOW)
    assert written(unpinned).count("\npinned: false\n") == 1
    found = after(found, unpinned)
    with pytest.raises(CannotPin, match="is not pinned"):
        upkeep.pin(found, found.store.memories[0], pinned=False, now=NOW)


def test_only_a_constraint_is_pinned_and_anything_is_unpinned() -> None:
    found = tree(type_="decision")
    with pytest.raises(CannotPin, match=r"is of type decision. Only a constraint can be pinned."):
        upkeep.pin(found, found.store.memories[0], now=NOW)
    found = tree(type_="decision", more="pinned: true\n")
    assert upkeep.pin(found, found.store.memories[0], pinned=False, now=NOW).edits


@pytest.mark.parametrize(
    ("head", "base", "unapproved", "error", "says"),
    [
        ("active", "superseded", False, NotActive, "is superseded on the base branch"),
        ("archived", "active", False, NotActive, "is archived already"),
        ("proposed", "active", False, SettledOnBase, "is active on the base branch"),
        ("active", "active", True, NotApproved, "no maintainer approved it"),
    ],
)
def test_only_what_holds_is_kept(
    head: str, base: str, unapproved: bool, error: type[LifecycleError], says: str
) -> None:
    found = tree(status=head)
    memory = found.store.memories[0]
    store = tree(status=base).store
    no_one = frozenset({PATH} if unapproved else ())
    plans: list[Callable[[], EditPlan]] = [
        lambda: upkeep.pin(found, memory, now=NOW, base=store, unapproved=no_one),
        lambda: relinked(found, "src/db", "src/store", base=store, unapproved=no_one),
        lambda: lifecycle.confirm(found, memory, now=NOW, base=store, unapproved=no_one),
    ]
    for plan in plans:
        with pytest.raises(error) as raised:
            plan()
        assert says in str(raised.value)


def test_a_proposal_is_pinned_and_relinked_before_it_is_decided_on() -> None:
    found = tree(status="proposed")
    memory = found.store.memories[0]
    assert 'status: "proposed"' in written(upkeep.pin(found, memory, now=NOW))
    assert 'status: "proposed"' in written(relinked(found, "src/db", "src/store"))
