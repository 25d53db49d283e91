"""Which memories a pull request makes doubtful."""

from collections.abc import Sequence

import pytest

from bot.core.model import MemoryStore
from bot.core.report import StaleKind
from bot.core.snapshot import ChangedFile, Snapshot
from bot.core.staleness import links_to_look_up, new_names, stale_findings, stale_memories
from tests.making import file, memory, snapshot, store

LINKED = memory(links=["src/db/pool.py", "src/api/"], lines={"links": 9})


def looked_up(
    *files: ChangedFile, stores: Sequence[MemoryStore] = (store(LINKED),), left: Sequence[str] = ()
) -> Snapshot:
    """A change after which nothing is left of what it may have emptied, but for some paths."""
    gone = frozenset(links_to_look_up(stores, stores, files)) - frozenset(left)
    return snapshot(base=stores, files=files, gone=gone)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (file("src/db/pool.py", "removed"), [("stale-link", None)]),
        (
            file("src/data/pool.py", "renamed", previous_path="src/db/pool.py"),
            [("stale-link", "src/data/pool.py")],
        ),
        (file("src/db/pool.py"), [("maybe-stale", None)]),
        (file("src/api/a.py"), []),
        (file("src/db/pool.pyc"), []),
        (file("src/db/pool.py", "added"), []),
    ],
    ids=["removed", "renamed", "edited", "below a directory", "another file", "added"],
)
def test_a_linked_file(changed: ChangedFile, expected: list[tuple[str, str | None]]) -> None:
    found = stale_memories(looked_up(changed))
    assert [(one.kind.value, one.renamed_to) for one in found] == expected


def test_a_broken_link_is_told_at_its_line() -> None:
    snap = looked_up(file("src/db/pool.py", "removed"))
    (finding,) = stale_findings(stale_memories(snap))
    assert (finding.rule, finding.path, finding.line) == ("stale-link", LINKED.path, 9)
    assert "src/db/pool.py, which this pull request removes" in finding.message


def test_a_memory_that_is_looked_at_in_the_same_change_is_not_doubted() -> None:
    files = [file("src/db/pool.py"), file(LINKED.path)]
    assert stale_memories(snapshot(base=[store(LINKED)], files=files)) == ()


def test_a_failed_attempt_stays_true_whatever_is_edited() -> None:
    attempt = memory(type_="attempt", links=["src/db/pool.py"])
    for status, expected in (("modified", []), ("removed", ["stale-link"])):
        snap = looked_up(file("src/db/pool.py", status), stores=[store(attempt)])
        assert [one.kind.value for one in stale_memories(snap)] == expected


def test_a_directory_is_gone_when_nothing_is_left_in_it() -> None:
    moved = [
        file(f"lib/http/{name}", "renamed", previous_path=f"src/api/{name}")
        for name in ("a.py", "v1/b.py")
    ]
    (gone,) = stale_memories(looked_up(*moved))
    assert (gone.kind, gone.link, gone.renamed_to) == (StaleKind.LINK_GONE, "src/api/", "lib/http")
    assert stale_memories(looked_up(*moved, left=["src/api"])) == ()
    apart = [*moved, file("other/c.py", "renamed", previous_path="src/api/c.py")]
    assert [one.renamed_to for one in stale_memories(looked_up(*apart))] == [None]
    assert links_to_look_up((), [store(LINKED)], [file("src/api/a.py")]) == ()


def test_links_count_from_the_root_of_their_store_and_only_active_ones_are_asked() -> None:
    nested = memory(links=["src/a.py"], root="packages/api")
    gone = memory("20261002-gone", status="archived", links=["src/a.py"])
    stores = [store(nested, root="packages/api"), store(gone)]
    files = [file("packages/api/src/a.py", "removed"), file("src/a.py", "removed")]
    found = stale_memories(looked_up(*files, stores=stores))
    assert [(one.memory.id, one.kind) for one in found] == [(nested.id, StaleKind.LINK_GONE)]


def test_new_names_in_whichever_unicode_form() -> None:
    files = [
        file(f"lib/cafe\u0301/{name}", "renamed", previous_path=f"src/cafe\u0301/{name}")
        for name in ("a.py", "b.py")
    ]
    paths = {"src/caf\u00e9", "src/caf\u00e9/a.py", "src", "lib"}
    assert new_names(paths, files) == {
        "src/caf\u00e9": "lib/caf\u00e9",
        "src/caf\u00e9/a.py": "lib/caf\u00e9/a.py",
        "src": "lib",
    }


def test_what_a_memory_links_no_more_is_looked_up_too() -> None:
    """A link to what an earlier change took away may go."""
    now = memory(links=["src/data", "src/api/v1"])
    found = links_to_look_up([store(LINKED)], [store(now)], [file(LINKED.path)])
    assert found == ("src/api", "src/db/pool.py")
    assert links_to_look_up([store(LINKED)], [store(LINKED)], [file(LINKED.path)]) == ()
    assert links_to_look_up([store(LINKED)], [store(now)], [file("src/x.py")]) == ()
