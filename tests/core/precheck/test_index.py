"""Who applies, why and in what order."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.model import Memory, MemoryStore
from bot.core.precheck import Index, count, precheck
from bot.core.report import Match
from bot.core.thresholds import Thresholds
from tests.making import github_token, memory, store

PATHS = ["src/db/pool.py", "src/db/client.py", "docs/pool.md", "README.md"]
PLAN = "Put a pgbouncer pooler in front of SQLite"


def ids(matches: tuple[Match, ...]) -> list[str]:
    return [match.memory.id for match in matches]


def test_the_most_binding_type_comes_first_and_a_pinned_constraint_before_all() -> None:
    types = ["decision", "gotcha", "attempt", "constraint"]
    one = store(
        *(memory(type_, type_, links=["src/db"]) for type_ in types),
        memory("pinned", "constraint", pinned=True),
        memory("thread", "thread", links=["src/db"]),
        memory("session", "session", links=["src/db"]),
        memory("proposed", status="proposed", links=["src/db"]),
    )
    found = precheck([one], ["src/db/a.py"], "")
    assert ids(found) == ["pinned", "constraint", "attempt", "gotcha", "decision"]
    assert [match.pinned for match in found] == [True, False, False, False, False]


def test_within_a_type_the_closest_reason_comes_first() -> None:
    title = "A pgbouncer pooler in front of SQLite failed"
    one = store(
        memory("a-broad", title="Other things", links=["src"]),
        memory("b-text", title=title),
        memory("c-wide-and-text", title=title + " again", links=["src"]),
        memory("d-near", title="Other things", links=["src/db"]),
        memory("e-nearer", title="Other things", links=["src/db/sqlite"]),
        memory("f-exact", title="Other things", links=["src/db/sqlite/open.py"]),
        memory("g-root", title="Other things", links=["."]),
    )
    found = ids(precheck([one], ["src/db/sqlite/open.py"], PLAN))
    assert found[:3] == ["f-exact", "e-nearer", "d-near"]
    assert set(found[3:5]) == {"b-text", "c-wide-and-text"}
    assert found[5:] == ["a-broad", "g-root"]


def test_a_memory_that_applies_for_several_reasons_is_one_match_with_all_of_them() -> None:
    title = "A pgbouncer pooler in front of SQLite failed"
    one = memory("m", "constraint", title=title, links=["src/db"], pinned=True)
    (match,) = precheck([store(one)], ["src/db/pool.py"], PLAN)
    assert match.pinned
    assert [hit.link for hit in match.links] == ["src/db"]
    assert match.text is not None
    assert "pgbouncer" in match.text.words


def test_a_pinned_constraint_of_a_nested_store_applies_to_changes_that_it_governs() -> None:
    outer = store(memory("outer", "constraint", pinned=True))
    inner = store(memory("inner", "constraint", pinned=True, root="web"), root="web")
    assert ids(precheck([outer, inner], ["web/a.ts"], "")) == ["inner", "outer"]
    assert ids(precheck([outer, inner], ["api/a.py"], "")) == ["outer"]
    assert ids(precheck([outer, inner], [], "")) == ["outer"]


def test_each_match_says_in_which_store_its_memory_stands() -> None:
    inner = store(memory("m", links=["src"], root="web"), root="web")
    (match,) = precheck([inner], ["web/src/a.ts"], "")
    assert match.store == "web"


def test_a_top_folder_is_broad_and_the_very_path_never_is() -> None:
    one = store(memory(links=["src", "src/db", "README.md"]))
    (match,) = precheck([one], ["src/db/a.py", "README.md"], "")
    broad = {hit.link: hit.broad for hit in match.links}
    assert broad == {"README.md": False, "src/db": False, "src": True}


def test_a_directory_that_most_changes_touch_is_broad() -> None:
    one = store(memory(links=["src/db", "src/db/pool.py"]), memory("b", links=["src/api"]))
    paths = ["src/db/a.py", "src/db/pool.py", "src/api/a.py"]
    history = count([("Fix it", ["src/db/a.py"])] * 11 + [("Fix it", ["src/api/b.py"])] * 9)
    found = precheck([one], paths, "", history=history)
    broad = {hit.link: hit.broad for match in found for hit in match.links}
    assert broad == {"src/db": True, "src/db/pool.py": False, "src/api": False}
    few = count([("Fix it", ["src/db/a.py"])] * 5)
    assert not any(
        hit.broad for match in precheck([one], paths, "", history=few) for hit in match.links
    )
    lower = Thresholds(broad_share=0.4)
    found = precheck([one], paths, "", history=history, thresholds=lower)
    assert {hit.link for match in found for hit in match.links if hit.broad} == {
        "src/db",
        "src/api",
    }


POOLER = "A pgbouncer pooler in front of SQLite failed"


@pytest.mark.parametrize(
    ("type_", "fields", "folded"),
    [
        ("decision", {"links": ["src/db/pool.py"]}, False),
        ("decision", {"links": ["src/db"]}, False),
        ("decision", {"links": ["src"]}, True),
        ("gotcha", {"links": ["src"]}, True),
        ("gotcha", {"links": ["src"], "title": POOLER}, False),
        ("constraint", {"links": ["src"]}, False),
        ("attempt", {"links": ["src"]}, False),
        ("constraint", {"title": POOLER}, False),
    ],
)
def test_a_decision_or_gotcha_that_matches_weakly_is_folded(
    type_: str, fields: dict[str, Any], folded: bool
) -> None:
    one = store(memory("m", type_, **fields), memory("other", title="Else"))
    (match,) = precheck([one], ["src/db/pool.py"], PLAN)
    assert match.folded is folded


def test_words_alone_fold_below_a_threshold() -> None:
    one = store(memory("m", title=POOLER))
    for fold_below, folded in ((0.0, False), (100.0, True)):
        (match,) = precheck([one], [], PLAN, thresholds=Thresholds(fold_below=fold_below))
        assert match.weak is folded


def test_half_the_strength_backs_a_broad_link_up() -> None:
    wide, alone = memory("wide", title=POOLER, links=["src"]), memory("alone", title=POOLER)
    strict = Thresholds(min_strength=100)
    (match,) = precheck([store(wide, alone)], ["src/a.py"], PLAN, thresholds=strict)
    assert (match.memory.id, match.text, match.weak) == ("wide", None, False) or match.weak
    strength = precheck([store(alone)], [], PLAN)[0].text.strength  # type: ignore[union-attr]
    half = Thresholds(min_strength=1.5 * strength)
    (match,) = precheck([store(wide, alone)], ["src/a.py"], PLAN, thresholds=half)
    assert match.memory.id == "wide"
    assert match.text is not None
    assert not match.weak


def test_an_acknowledged_memory_applies_folded_whatever_it_is() -> None:
    one = store(
        memory("a", "constraint", pinned=True), memory("b", "attempt", links=["src/db/pool.py"])
    )
    found = precheck([one], PATHS, "", acknowledged={one.memories[0].path})
    assert [(match.memory.id, match.acknowledged, match.folded) for match in found] == [
        ("a", True, True),
        ("b", False, False),
    ]


def test_linked_memories_take_no_place_from_those_that_words_bring() -> None:
    linked = [memory(f"l{n}", title=f"{POOLER} {n}", links=["src/db"]) for n in range(6)]
    spoken = [memory(f"s{n}", title=f"{POOLER} {n}") for n in range(9)]
    others = [memory(f"o{n}", title=f"Matter number {n}") for n in range(30)]
    found = precheck([store(*linked, *spoken, *others)], ["src/db/a.py"], PLAN)
    assert len([match for match in found if match.links]) == 6
    assert len([match for match in found if not match.links]) == 5


def test_no_stores_or_memories_are_no_matches() -> None:
    assert precheck([], PATHS, PLAN) == ()
    assert precheck([store()], PATHS, PLAN) == ()


LINKS = st.sampled_from(
    ["src", "src/db", "./docs/", "README.md", "..", "/", "", ".", "src/../docs"]
)
MEMORIES = st.lists(
    st.builds(
        memory,
        st.sampled_from([f"m{number}" for number in range(30)]),
        st.sampled_from(["constraint", "attempt", "gotcha", "decision", "thread"]),
        title=st.sampled_from(["SQLite pooler failed", "Keep pgbouncer", "Other"]) | st.text(),
        links=st.lists(LINKS | st.text()),
        pinned=st.booleans(),
        body=st.text(),
    ),
    unique_by=lambda one: one.id,
)
CHANGED = st.lists(st.sampled_from(PATHS) | st.text())


@given(MEMORIES, CHANGED, st.text() | st.just(PLAN), st.randoms(use_true_random=False))
def test_order_never_matters(
    memories: list[Memory], paths: list[str], plan: str, chance: random.Random
) -> None:
    stores = _stores(memories)
    shuffled = [*memories]
    chance.shuffle(shuffled)
    before = precheck(stores, paths, plan, old_paths=paths[:2])
    after = precheck(_stores(shuffled)[::-1], paths[::-1], plan, old_paths=paths[:2][::-1])
    assert before == after
    assert before == Index(stores).matches(paths, plan, old_paths=paths[:2])


@given(MEMORIES, CHANGED, st.text())
def test_an_unrelated_path_takes_no_link_match_away(
    memories: list[Memory], paths: list[str], other: str
) -> None:
    index = Index(_stores(memories))
    before = {match.memory.id for match in index.matches(paths, "") if match.links}
    after = {match.memory.id for match in index.matches([*paths, other], "") if match.links}
    assert before <= after


@given(MEMORIES, CHANGED, st.text() | st.just(PLAN), st.text())
def test_an_unrelated_memory_takes_no_link_match_away(
    memories: list[Memory], paths: list[str], plan: str, words: str
) -> None:
    other = memory("unrelated", title=words, body=words)
    before = {match.memory.id for match in precheck(_stores(memories), paths, plan) if match.links}
    stores = [*_stores(memories), store(other, root="elsewhere")]
    after = {match.memory.id for match in precheck(stores, paths, plan) if match.links}
    assert before == after


@given(st.lists(MEMORIES, min_size=2, max_size=4), CHANGED, st.text() | st.just(PLAN))
def test_an_index_that_follows_its_stores_finds_what_a_new_one_finds(
    commits: list[list[Memory]], paths: list[str], plan: str
) -> None:
    index = Index()
    for memories in commits:
        stores = _stores(memories)
        index.update(stores)
        assert index.matches(paths, plan) == Index(stores).matches(paths, plan)


@given(MEMORIES, CHANGED, st.text() | st.just(PLAN))
def test_every_match_has_a_reason(memories: list[Memory], paths: list[str], plan: str) -> None:
    for match in precheck(_stores(memories), paths, plan):
        assert match.pinned or match.links or match.text


def _stores(memories: list[Memory]) -> list[MemoryStore]:
    """The even ones at the root, the others below src."""
    inner = [replace(one, path=f"src/{one.path}") for one in memories if int(one.id[1:]) % 2]
    return [store(*(one for one in memories if not int(one.id[1:]) % 2)), store(*inner, root="src")]


@pytest.mark.parametrize("before", [0, 15_930])
def test_a_word_of_a_credential_is_no_reason(before: int) -> None:
    """Both hold it, and what they share is shown: its second part is no credential by itself."""
    secret = f'token = "{github_token()}"'
    one = memory(body=f"The gateway answers late. {secret}", title="Mind the gateway")
    said = f"Ask the gateway for late answers. {' ' * before}{secret}"
    (match,) = precheck([store(one)], [f"src/{github_token()}.py"], said)
    assert match.text is not None
    assert "gateway" in match.text.words
    assert github_token()[4:] not in repr((match.text, match.links))
