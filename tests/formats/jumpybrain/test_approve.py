from datetime import UTC, datetime

import pytest

from bot.core.errors import UserError
from bot.formats.jumpybrain.approve import approve
from bot.formats.jumpybrain.store import read
from bot.formats.memoryrail.conditions import AlreadyActive, HoldsSecret
from bot.formats.memoryrail.store_tree import StoreTree
from tests.formats.jumpybrain.making import config, file, text

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
PATH = "memory/findings/a.md"
DRAFT = text(type="finding", confidence="agent-drafted", review="user-review-recommended")


def _tree(content: str) -> StoreTree:
    store = read("", [config(), file(PATH, content)])
    assert store is not None
    return StoreTree(store=store, files=store.files)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_draft_becomes_reviewed_and_nothing_else_changes(end: str) -> None:
    tree = _tree(DRAFT.replace("\n", end))
    plan = approve(tree, tree.store.memories[0], now=NOW)
    (edit,) = plan.edits
    expected = text(type="finding", updated_at="2026-10-10T17:30:00.000Z").replace("\n", end)
    assert edit.data == expected.encode()
    assert edit.expected_oid == tree.files[PATH].oid
    assert plan.verbs == ("approve",)


def test_what_does_not_wait_is_not_approved_again() -> None:
    tree = _tree(text(type="finding"))
    with pytest.raises(AlreadyActive):
        approve(tree, tree.store.memories[0], now=NOW)


def test_a_credential_is_not_approved() -> None:
    tree = _tree(f"{DRAFT}\nghp_" + "x7Q2mK9vL4pR8sT1wY6zB3nC5dF0gH2jK4lM\n")
    with pytest.raises(HoldsSecret):
        approve(tree, tree.store.memories[0], now=NOW)


def test_fields_that_are_given_twice_are_not_guessed() -> None:
    twice = DRAFT.replace("---\n\n", "review: user-review-recommended\n---\n\n")
    tree = _tree(twice)
    with pytest.raises(UserError, match="twice"):
        approve(tree, tree.store.memories[0], now=NOW)
