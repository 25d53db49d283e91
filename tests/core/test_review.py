"""The review as a whole: what asks for action, and what an index at hand changes."""

from bot.core.precheck import Index
from bot.core.report import Check, Conclusion, Report
from bot.core.repository_settings import RepositorySettings
from bot.core.review import review
from bot.core.thresholds import Thresholds
from tests.making import file, memory, snapshot, store

STORE = store(
    memory("20261001-pool", "constraint", title="Only src/db opens", links=["src/api"]),
    memory("20261002-try", "attempt", title="A pgbouncer pooler failed"),
)
FILES = [file("src/api/a.py", added="x = 1\n")]
POOL_PATH = STORE.memories[0].path
STRICT = RepositorySettings(require_citation="all")


def rules(report: Report) -> list[str]:
    return [one.rule for one in report.findings_of(Check.PRECHECK)]


def test_a_constraint_that_settings_demand_is_cited_or_acknowledged() -> None:
    asked = review(snapshot(base=[STORE], files=FILES, settings=STRICT))
    assert rules(asked) == ["uncited-constraint"]
    assert asked.conclusions[Check.PRECHECK] is Conclusion.ACTION_REQUIRED
    acknowledged = frozenset({POOL_PATH})
    known = review(snapshot(base=[STORE], files=FILES, settings=STRICT, acknowledged=acknowledged))
    assert rules(known) == []
    assert known.conclusions[Check.PRECHECK] is Conclusion.SUCCESS
    assert [match.folded for match in known.matches] == [True]


def test_an_acknowledged_memory_is_not_annotated() -> None:
    (noted,) = review(snapshot(base=[STORE], files=FILES)).findings_of(Check.PRECHECK)
    assert (noted.path, noted.line) == ("src/api/a.py", 1)
    known = snapshot(base=[STORE], files=FILES, acknowledged=frozenset({POOL_PATH}))
    assert rules(review(known)) == []


def test_thresholds_of_the_settings_count() -> None:
    title = "Put a pgbouncer pooler in front"
    found = review(snapshot(base=[STORE], title=title))
    assert [match.memory.id for match in found.matches] == ["20261002-try"]
    quiet = RepositorySettings(thresholds=Thresholds(text_hits=0))
    assert review(snapshot(base=[STORE], title=title, settings=quiet)).matches == ()


def test_an_index_at_hand_changes_nothing() -> None:
    made = snapshot(base=[STORE], files=FILES, title="Put a pgbouncer pooler in front")
    assert review(made, Index([STORE])) == review(made)
