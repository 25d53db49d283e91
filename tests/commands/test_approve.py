"""`approve REF…`: what is written, what is said, and what is refused."""

from dataclasses import replace

from bot.commands.context import Authors
from bot.commands.outcome import Planned, Refused
from bot.commands.run import reply
from bot.core.snapshot import Actor
from tests.commands.making import context, edits, memory_file, report, said, store_tree, texts

OLD = memory_file("20261001-old", "active")
NEW = memory_file("20261009-new", title="Use @postgres", supersedes="20261001-old")
OTHER = memory_file("20261009-other", supersedes="20261001-old")
PLAIN = memory_file("20261005-plain", type_="constraint", title="UTC only")


def test_both_sides_of_a_supersession_are_written() -> None:
    batch = said("/memoryrail approve 20261009-new", context(OLD, NEW))
    written = edits(batch)
    assert list(written) == [OLD.path, NEW.path]
    assert (written[NEW.path] or b"").count(b'status: "active"') == 1
    assert b'superseded_by: "20261009-new"' in (written[OLD.path] or b"")
    assert texts(batch) == [
        "Approved **DEC-e65d** · Use @&#8203;postgres, in place of `20261001-old`."
    ]


def test_several_refs_are_one_plan() -> None:
    batch = said(
        "/memoryrail approve CON-7534, [per 20261009-new] con-7534", context(OLD, NEW, PLAIN)
    )
    assert list(edits(batch)) == [OLD.path, PLAIN.path, NEW.path]
    assert batch.plan is not None
    assert [action.memory.id for action in batch.plan.actions] == ["20261005-plain", "20261009-new"]


def test_two_proposals_for_one_memory_are_a_conflict() -> None:
    batch = said("/memoryrail approve 20261009-new 20261009-other", context(OLD, NEW, OTHER))
    assert batch.plan is None
    (text,) = texts(batch)
    assert "which 20261009-new has replaced meanwhile" in text


def test_the_base_may_know_better() -> None:
    """On the base branch the old memory was replaced after this branch began."""
    taken = store_tree(
        memory_file("20261001-old", "superseded", superseded_by="20261002-x"),
        memory_file("20261002-x", "active", supersedes="20261001-old"),
    ).store
    batch = said("/memoryrail approve 20261009-new", context(OLD, NEW, base=(taken,)))
    assert batch.plan is None
    assert "20261002-x has replaced meanwhile" in texts(batch)[0]


def test_all_that_is_wrong_is_said_at_once() -> None:
    batch = said("/memoryrail approve 20261001-old THR-ffff 20261005-plain", context(OLD, PLAIN))
    assert not edits(batch)
    assert batch.is_refused
    (text,) = texts(batch)
    assert text.splitlines() == [
        "Nothing was changed:",
        "",
        "- DEC-da6f (Keep it) is active already. There is nothing to approve.",
        "- There is no memory THR-ffff.",
        "- CON-7534 was left too: a command is done whole or not.",
    ]


def test_words_behind_the_refs_are_told_from_refs() -> None:
    for comment, word in [
        ("/memoryrail approve 20261005-plain please", "please"),
        ("/memoryrail approve 20261005-plain, thanks!", "thanks!"),
    ]:
        batch = said(comment, context(PLAIN))
        assert not edits(batch)
        (text,) = texts(batch)
        assert text == (
            f"Nothing was changed. There is no memory `{word}`. A reason goes after a colon. "
            "CON-7534 was left too: a command is done whole or not."
        )


def test_nobody_approves_what_they_wrote() -> None:
    kim = Actor(id=7, login="kim")
    for own in (
        Authors(by_path={PLAIN.path: {7: "commit 1234567 says so", 8: ""}}),
        Authors(by_path={PLAIN.path: {8: ""}}, anywhere={7: "commit 1234567 says so"}),
    ):
        mine = context(PLAIN, sender=kim, authors=own)
        (text,) = texts(said("/memoryrail approve 20261005-plain", mine))
        assert "(UTC only) is your own proposal: commit 1234567 says so. Another" in text
    others = Authors(by_path={PLAIN.path: {8: "x"}, OLD.path: {7: "x"}})
    other = context(PLAIN, sender=kim, authors=others)
    assert edits(said("/memoryrail approve 20261005-plain", other))


def test_only_what_the_pull_request_changes_is_approved() -> None:
    """Of a proposal that lies on the base nobody can tell who wrote it."""
    on = context(OLD, NEW, PLAIN, report=report(changed=[NEW]))
    (text,) = texts(said("/memoryrail approve 20261005-plain", on))
    assert text == (
        "Nothing was changed. CON-7534 (UTC only) is not changed by this pull request, so it does "
        "not tell who wrote it. Approve it in the pull request that brings it, or in one that "
        "changes its file."
    )
    assert edits(said("/memoryrail approve 20261009-new", on))
    assert "CON-7534" not in texts(said("/memoryrail approve", on))[0]
    assert not edits(said("/memoryrail approve 20261009-new", replace(on, report=None)))


def test_without_a_ref_the_proposals_are_shown() -> None:
    batch = said("/memoryrail approve", context(OLD, PLAIN))
    assert isinstance(batch.outcomes[0][1], Refused)
    assert texts(batch)[0].endswith("- **CON-7534** · UTC only")
    assert "nothing to approve" in texts(said("/memoryrail approve", context(OLD)))[0]


def test_a_file_that_cannot_be_edited_is_said_with_its_place() -> None:
    broken = memory_file("20261005-twice", x='1"\nupdated: "2')
    (text,) = texts(said("/memoryrail approve 20261005-twice", context(broken)))
    assert "20261005-twice.md:9: `updated` is given twice" in text


def test_stores_of_one_repository_are_planned_each_in_its_place() -> None:
    shop = memory_file("20261007-shop", root="apps/shop/")
    both = context(PLAIN, report=report(changed=[PLAIN, shop]))
    both = replace(both, trees=(*both.trees, store_tree(shop, root="apps/shop/")))
    batch = said("/memoryrail approve 20261007-shop 20261005-plain", both)
    assert list(edits(batch)) == [PLAIN.path, shop.path]


def test_memories_of_one_id_are_told_apart_by_their_paths() -> None:
    twin = memory_file("20261005-plain", title="Twin", root="apps/shop/")
    both = context(PLAIN, report=report(changed=[PLAIN, twin]))
    both = replace(both, trees=(*both.trees, store_tree(twin, root="apps/shop/")))
    (text,) = texts(said("/memoryrail approve 20261005-plain", both))
    assert text == (
        "Nothing was changed. 20261005-plain means 2 memories. Write the path of one: "
        ".memoryrail/memories/20261005-plain.md (UTC only), "
        "apps/shop/.memoryrail/memories/20261005-plain.md (Twin)."
    )
    for path, meant in [
        (".memoryrail/memories/20261005-plain.md", PLAIN),
        ("apps/shop/.memoryrail/memories/20261005-plain.md", twin),
        ("shop/.memoryrail/memories/20261005-plain.md", twin),
    ]:
        assert list(edits(said(f"/memoryrail approve `{path}`", both))) == [meant.path]
    for path in ("20261005-plain.md", "memories/20261005-plain.md"):
        assert "means 2 memories" in texts(said(f"/memoryrail approve {path}", both))[0]
    for path in ("plain.md", "op/.memoryrail/memories/20261005-plain.md"):
        assert f"There is no memory {path}." in texts(said(f"/memoryrail approve {path}", both))[0]


def test_all_that_can_be_approved_is_and_the_rest_is_said() -> None:
    kim = Actor(id=7, login="kim")
    first = memory_file("20261011-first", title="First", supersedes="20261012-second")
    second = memory_file("20261012-second", title="Second")
    here = [NEW, OTHER, PLAIN, first, second]
    on = replace(
        context(OLD, *here, memory_file("20261013-base")),
        report=report(changed=here),
        sender=kim,
        authors=Authors(by_path={PLAIN.path: {7: "commit 1234567 says so"}}),
    )
    batch = said("/memoryrail approve ALL", on)
    assert batch.is_refused
    assert batch.plan is not None
    assert [one.memory.title for one in batch.plan.actions] == ["Use @postgres", "Second", "First"]
    (_, outcome), *_ = batch.outcomes
    assert isinstance(outcome, Planned)
    assert len(outcome.left) == 2
    answer = reply(batch, ()) or ""
    rows = answer.splitlines()
    assert rows[0].startswith("- Approved **DEC-e65d**")
    assert "is your own proposal" in rows[3]
    assert "which 20261009-new has replaced meanwhile" in rows[4]
    assert len(rows) == 5


def test_all_is_said_even_when_all_went_well() -> None:
    batch = said("/memoryrail approve all", context(OLD, PLAIN))
    assert not batch.is_refused
    assert reply(batch, ()) == "Approved **CON-7534** · UTC only."


def test_all_that_cannot_be_done_changes_nothing() -> None:
    assert "nothing to approve" in texts(said("/memoryrail approve all", context(OLD)))[0]
    kim = context(
        PLAIN, sender=Actor(id=7, login="kim"), authors=Authors(anywhere={7: "commit 1 says so"})
    )
    (text,) = texts(said("/memoryrail approve all", kim))
    assert text.startswith("Nothing was changed. CON-7534 (UTC only) is your own proposal")
    (text,) = texts(said("/memoryrail approve all CON-7534", context(PLAIN)))
    assert text == (
        "all stands alone: it is every proposal of this pull request. "
        "Write `/memoryrail approve REF…|all`."
    )
