"""What is said of a link, given what stands there."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.model import Memory, Severity
from bot.core.stale_links import LastCommit, Linked, LinkFault, Undecided, judge
from tests.making import memory

UPDATED = datetime(2026, 10, 1, 8, tzinfo=UTC)  # of tests.making.memory
SECOND = timedelta(seconds=1)


def commit(at: datetime, sha: str = "a" * 40, *, is_cut: bool = False) -> LastCommit:
    return LastCommit(sha=sha, at=at, is_cut=is_cut)


def there(*commits: LastCommit) -> Linked:
    return Linked(is_there=True, commits=commits)


def faults(linked: Linked, one: Memory | None = None) -> list[str]:
    stale, _ = judge([one or memory(links=["src"])], {"src": linked})
    return [link.fault.value for link in stale]


@pytest.mark.parametrize(
    ("linked", "expected"),
    [
        (there(), []),
        (there(commit(UPDATED)), []),
        (there(commit(UPDATED - SECOND)), []),
        (there(commit(UPDATED + SECOND)), ["maybe-stale"]),
        (there(commit(UPDATED - SECOND), commit(UPDATED + SECOND)), ["maybe-stale"]),
        (there(commit(UPDATED + SECOND, is_cut=True)), []),
        (there(commit(UPDATED + SECOND, is_cut=True), commit(UPDATED + SECOND)), ["maybe-stale"]),
        (Linked(is_there=False), ["stale-link"]),
        (Linked(is_there=False, commits=(commit(UPDATED + SECOND),)), ["stale-link"]),
        (Linked(is_there=False, is_outside=True), ["link-outside-repo"]),
    ],
    ids=[
        "no commit",
        "the same moment",
        "an older commit",
        "a newer commit",
        "one of two is newer",
        "history is cut",
        "history is cut, but another is newer",
        "gone",
        "gone by a newer commit",
        "outside",
    ],
)
def test_a_link(linked: Linked, expected: list[str]) -> None:
    assert faults(linked) == expected


def test_only_active_memories_are_judged() -> None:
    for status in ("proposed", "superseded", "archived", "resolved"):
        assert faults(Linked(is_there=False), memory(status=status, links=["src"])) == []


@pytest.mark.parametrize("updated", ["2026-10-01", "", "soon"])
def test_without_a_timestamp_there_is_nothing_to_compare_with(updated: str) -> None:
    one = replace(memory(links=["src"]), updated=updated)
    assert faults(there(commit(UPDATED.replace(year=9999))), one) == []
    assert faults(Linked(is_there=False), one) == ["stale-link"]


def test_moments_are_compared_whatever_their_zone() -> None:
    one = replace(memory(links=["src"]), updated="2026-10-01T10:00:00+02:00")
    assert faults(there(commit(UPDATED)), one) == []
    assert faults(there(commit(UPDATED + SECOND)), one) == ["maybe-stale"]


def test_each_link_is_judged_once_in_the_order_of_the_file() -> None:
    one = memory("20261002-b", links=["z", "../out", "/abs", "", "z", "a", "z/"])
    first = memory("20261001-a", links=["a"])
    gone = dict.fromkeys(("z", "z/", "a"), Linked(is_there=False))
    stale, undecided = judge([one, first], gone)
    assert undecided == ()
    assert [(link.memory.id, link.link, link.fault.name) for link in stale] == [
        ("20261001-a", "a", "GONE"),
        ("20261002-b", "z", "GONE"),
        ("20261002-b", "../out", "OUTSIDE"),
        ("20261002-b", "/abs", "OUTSIDE"),
        ("20261002-b", "", "OUTSIDE"),
        ("20261002-b", "a", "GONE"),
        ("20261002-b", "z/", "GONE"),
    ]


def test_what_only_older_history_could_tell_is_undecided() -> None:
    one = memory(links=["a", "b"])
    linked = {
        "a": there(commit(UPDATED + SECOND, is_cut=True)),
        "b": there(commit(UPDATED, is_cut=True)),
    }
    assert judge([one], linked) == ((), (Undecided(memory=one, link="a"),))


def test_what_is_said() -> None:
    one = memory(links=["src", "old", "none", "../x"], lines={"links": 9})
    newer = commit(UPDATED + timedelta(days=5), "1a2b3c4" + "0" * 33)
    moved = Linked(is_there=False, commits=(newer,), renamed_to="new")
    linked = {"src": there(newer), "old": moved, "none": Linked(is_there=False)}
    problems = [link.problem for link in judge([one], linked)[0]]
    assert {(problem.path, problem.line) for problem in problems} == {(one.path, 9)}
    assert [(problem.rule, problem.severity, problem.message) for problem in problems] == [
        (
            LinkFault.CHANGED,
            Severity.WARNING,
            (
                "src was changed by 1a2b3c4 on 2026-10-06, after this memory's `updated`. "
                f"Still true? memoryrail-bot confirm {one.ref} says so. If not, supersede it."
            ),
        ),
        (
            LinkFault.GONE,
            Severity.WARNING,
            (
                "old is not there: it was renamed to new by 1a2b3c4 on 2026-10-06. "
                f"Relink it: memoryrail-bot relink {one.ref} old new does so."
            ),
        ),
        (
            LinkFault.GONE,
            Severity.WARNING,
            "none is not there. Relink it: name what took its place, or drop the link.",
        ),
        (
            LinkFault.OUTSIDE,
            Severity.ERROR,
            (
                "The link ../x leads out of the repository. "
                "Relink it: name a path inside the repository, or drop the link."
            ),
        ),
    ]
