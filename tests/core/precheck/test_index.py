"""Who applies, why and in what order."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.core.model import Memory, MemoryStore
from bot.core.precheck import Index, is_broad, precheck
from bot.core.report import Match
from tests.making import memory, store

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
    assert {hit.link: is_broad(hit) for hit in match.links} == {
        "README.md": False,
        "src/db": False,
        "src": True,
    }


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


@given(MEMORIES, CHANGED, st.text() | st.just(PLAN))
def test_every_match_has_a_reason(memories: list[Memory], paths: list[str], plan: str) -> None:
    for match in precheck(_stores(memories), paths, plan):
        assert match.pinned or match.links or match.text


def _stores(memories: list[Memory]) -> list[MemoryStore]:
    """The even ones at the root, the others below src."""
    inner = [replace(one, path=f"src/{one.path}") for one in memories if int(one.id[1:]) % 2]
    return [store(*(one for one in memories if not int(one.id[1:]) % 2)), store(*inner, root="src")]
