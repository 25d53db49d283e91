"""Memories found by what a change says."""

from collections.abc import Iterator, Mapping

import pytest

from bot.core.precheck import count
from bot.core.precheck.history import MAX_PLAN
from bot.core.precheck.text import MAX_PATHS, MAX_WORDS, TextIndex
from bot.core.snapshot import History
from bot.core.thresholds import MAX_TEXT_HITS, Thresholds
from tests.making import memory

POOL = memory(
    "pool",
    title="A connection pooler in front of SQLite failed",
    body="Under load pgbouncer held the write lock, and each request waited for the timeout.",
)
OTHERS = [
    memory("tabs", title="Indent Makefiles with tabs", body="Make refuses blanks."),
    memory("utc", title="Timestamps are UTC", body="Local time broke the billing run twice."),
    memory("cents", title="Money is integer cents", body="Floats lost a cent in each invoice."),
    memory("drizzle", title="Use Drizzle over Prisma", body="Edge deploys need a small runtime."),
    memory("flags", title="Feature flags live in config.toml", body="No flag service yet."),
    memory("queue", title="Jobs go through the outbox", body="Direct enqueue lost jobs."),
]
INDEX = TextIndex([POOL, *OTHERS])
HISTORY = count([("Fix it", [])] * 40)
CUT = Thresholds().min_strength
ANY = Thresholds(min_strength=0)


def changes(words: list[str]) -> History:
    return count((each, ()) for each in words)


def found(
    plan: str, *paths: str, index: TextIndex = INDEX, history: History | None = None
) -> list[int]:
    return [one.number for one in index.search(plan, paths, history or History())]


def test_a_change_that_speaks_of_the_same_finds_the_memory() -> None:
    (one,) = INDEX.search("Put a pooler in front of SQLite, so that load causes no timeout")
    assert one.number == 0
    assert one.hit.strength >= CUT
    assert one.hit.words[0] in {"pooler", "SQLite"}
    assert {"pooler", "SQLite", "timeout"} <= set(one.hit.words)


@pytest.mark.parametrize(
    "plan",
    ["", "Fix typo", "Update the documentation of the release process", "Use the new config", "🙂"],
)
def test_a_change_that_speaks_of_something_else_finds_nothing(plan: str) -> None:
    assert found(plan) == []


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_store_of_any_size_finds_what_a_plan_repeats(size: int) -> None:
    index = TextIndex([POOL, *OTHERS][:size])
    assert found("Put a pooler in front of SQLite", index=index) == [0]
    assert found("Rename a helper", index=index) == []


def test_words_of_changed_paths_count_too_but_less() -> None:
    plan, path = "Raise the timeout under load", "infra/pgbouncer/sqlite_pooler.toml"
    said, touched = (
        INDEX.search(f"{plan} {path}", thresholds=ANY)[0],
        INDEX.search(plan, [path], thresholds=ANY)[0],
    )
    unsaid = INDEX.search(plan, thresholds=ANY)[0]
    assert said.number == touched.number == unsaid.number == 0
    assert said.hit.strength > touched.hit.strength > unsaid.hit.strength
    assert "sqlite_pooler" in touched.hit.of_paths
    assert "timeout" in touched.hit.words
    assert {"timeout"}.isdisjoint(touched.hit.of_paths)
    assert said.hit.of_paths == ()


def test_words_that_most_earlier_changes_hold_find_nothing() -> None:
    plan = "Put a pooler in front of SQLite"
    assert found(plan, history=changes([plan] * 30 + ["Fix it"] * 10)) == []
    assert found(plan, history=changes([plan] + ["Fix it"] * 39)) == [0]


def test_without_history_a_hit_counts_less() -> None:
    plan = "Put a pooler in front of SQLite"
    known, some, unknown = (
        INDEX.search(plan, history=changes(["Fix it"] * number))[0].hit.strength
        for number in (40, 5, 0)
    )
    assert known > some > unknown


def test_at_most_five_are_shown_the_strongest_first() -> None:
    alike = [memory(f"m{n}", title="pgbouncer pooler " + "and more words " * n) for n in range(9)]
    hits = TextIndex([*OTHERS, *alike]).search("pgbouncer pooler sqlite", thresholds=ANY)
    strengths = [one.hit.strength for one in hits]
    assert len(hits) == MAX_TEXT_HITS
    assert strengths == sorted(strengths, reverse=True)


def test_a_hit_is_explained_by_few_words_each_once() -> None:
    plan = f"{POOL.title}. {POOL.body} poolers Pooler POOLER"
    (one,) = INDEX.search(plan)
    assert len(one.hit.words) == len(set(one.hit.words)) == MAX_WORDS


def test_a_word_that_adds_little_explains_nothing() -> None:
    (one,) = INDEX.search("Use Prisma", history=HISTORY)
    assert (one.number, one.hit.words) == (4, ("Prisma",))


def test_a_pair_is_as_worn_as_its_less_worn_word() -> None:
    earlier = changes(["Move the billing code", "Run the tests"] * 20)
    assert INDEX.search("Speed up the billing run", history=earlier, thresholds=ANY) == ()
    half = changes(["Move the billing code", "Test it"] * 20)
    (one, *_) = INDEX.search("Speed up the billing run", history=half, thresholds=ANY)
    assert one.hit.arithmetic is not None
    assert [share.words for share in one.hit.arithmetic.shares] == ["billing run", "run"]


def test_a_strength_is_the_sum_that_explains_it() -> None:
    (one,) = INDEX.search("Put a pooler in front of SQLite", ["infra/pgbouncer.toml"], HISTORY)
    sums = one.hit.arithmetic
    assert sums is not None
    assert sums.score == pytest.approx(sum(share.adds for share in sums.shares))
    scale = sums.change * sums.length * sums.project
    assert one.hit.strength == pytest.approx((sums.score - sums.usual) / scale - sums.lag)
    of_paths = {share.words: share.weight for share in sums.shares if share.weight < 1}
    assert of_paths == {"pgbouncer": 0.5}


def test_the_order_of_paths_does_not_matter() -> None:
    paths = [f"src/part{number}/pooler_{number}.py" for number in range(200)]
    assert INDEX.search("SQLite", paths) == INDEX.search("SQLite", paths[::-1])


def test_of_many_paths_the_telling_ones_are_read() -> None:
    dull = [f"aaa/file{number}.bin" for number in range(5 * MAX_PATHS)]
    (one, *_) = INDEX.search(
        "Raise the timeout", [*dull, "infra/sqlite_pooler.toml"], thresholds=ANY
    )
    assert (one.number, "sqlite_pooler" in one.hit.words) == (0, True)


def test_what_stands_far_down_a_plan_is_not_read() -> None:
    assert found(" " * MAX_PLAN + POOL.title) == []
    assert found(" " * 100 + POOL.title) == [0]


class Asked(Mapping[str, int]):
    """Terms of earlier changes that count how often they are asked for one."""

    def __init__(self) -> None:
        self.times = 0

    def __getitem__(self, term: str) -> int:
        self.times += 1
        raise KeyError(term)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_the_work_for_a_hostile_change_is_bounded() -> None:
    plan = " ".join(f"word{number:x}z" for number in range(200_000))
    paths = [f"dir{number:x}q/file{number:x}q.py" for number in range(3_000)]
    asked = Asked()
    INDEX.search(plan, paths, History(changes=100, counts=asked))
    assert 0 < asked.times <= 2 * (MAX_PLAN / 3 + 4 * MAX_PATHS)


def test_a_term_that_very_many_memories_hold_is_passed_over() -> None:
    many = [memory(f"m{n}", title=f"pooler rare{n}x") for n in range(1200)]
    (one,) = TextIndex(many).search("pooler rare7x", thresholds=Thresholds(min_strength=0.1))
    assert (one.number, one.hit.words) == (7, ("rare7x",))
