"""`ack`: what applies is accepted on one pull request."""

from dataclasses import replace

import pytest

from bot.commands.context import Context
from bot.commands.outcome import Acknowledged, Refused
from bot.core.report import Match
from tests.commands.making import context, memory_file, report, said, store_tree, texts

UTC = memory_file("20261002-utc", "active", type_="constraint", title="UTC only")  # CON-b0bb
OLD = memory_file("20261001-old", "active", title="Old")  # DEC-
TREE = store_tree(UTC, OLD)
UTC_ONLY = next(one for one in TREE.store.memories if one.title == "UTC only")


def reviewed(seen: dict[str, str] | None = None) -> Context:
    match = Match(memory=UTC_ONLY, store="", pinned=True)
    seen = {UTC.path: UTC.oid} if seen is None else seen
    return context(UTC, OLD, base=(TREE.store,), report=report(match), seen=seen)


def test_a_match_is_accepted_with_its_reason() -> None:
    batch = said("/memoryrail ack CON-b0bb: agreed with @kim, see #4", reviewed())
    assert batch.plan is None
    assert batch.outcomes[0][1] == Acknowledged(
        memories=(UTC_ONLY,), reason="agreed with @ kim, see # 4"
    )
    assert texts(batch) == [""]


def test_what_does_not_apply_has_nothing_to_accept() -> None:
    batch = said("/memoryrail ack 20261001-old CON-b0bb", reviewed())
    (text,) = texts(batch)
    assert "(Old) does not apply to this pull request." in text
    assert "CON-b0bb was left too" in text
    assert isinstance(batch.outcomes[0][1], Refused)


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        ({}, "I had not shown yet that CON-b0bb (UTC only) applies when you wrote."),
        ({UTC.path: ""}, "I had not shown yet that CON-b0bb (UTC only) applies when you wrote."),
        (
            {UTC.path: "another"},
            "CON-b0bb (UTC only) is not the text on main that I had shown when you wrote.",
        ),
    ],
)
def test_a_text_that_was_not_seen_is_not_accepted(seen: dict[str, str], says: str) -> None:
    batch = said("/memoryrail ack CON-b0bb", reviewed(seen))
    assert texts(batch)[0].startswith(f"Nothing was changed. {says}")
    assert isinstance(batch.outcomes[0][1], Refused)


def test_a_dry_run_accepts_nothing() -> None:
    batch = said("/memoryrail ack --dry-run CON-b0bb", reviewed())
    assert "Would acknowledge **CON-b0bb**" in texts(batch)[0]
    assert not isinstance(batch.outcomes[0][1], Acknowledged)


def test_what_is_wrong_is_said() -> None:
    assert "`/memoryrail ack REF" in texts(said("/memoryrail ack", reviewed()))[0]
    unreviewed = context(UTC, base=(TREE.store,), report=None)
    assert "has not been reviewed yet" in texts(said("/memoryrail ack CON-b0bb", unreviewed))[0]


def test_what_was_undone_since_is_not_accepted_again() -> None:
    late = replace(reviewed(), undone_since=frozenset({("ack", UTC.path)}))
    (text,) = texts(said("/memoryrail ack CON-b0bb", late))
    assert "acknowledgement of CON-b0bb (UTC only) was taken back since you wrote." in text
