from bot.formats.cursor.query import Query, search
from bot.formats.cursor.validate import read_file
from tests.formats.cursor.making import entry

FILES = [
    read_file("decisions.md", entry("a-1", kind="decision", author_detail="Ada").encode()),
    read_file(
        "session-handoff.md",
        (
            entry("b-1", at="2026-05-01T00:00:00Z", tags="[pool]", body="Speaks of a-1 at length.")
            + entry("b-2", at="2026-06-01T08:00:00Z", status="blocked")
        ).encode(),
    ),
]


def _ids(**asked: str) -> list[str]:
    return [hit.entry.id for hit in search(FILES, Query(**asked))]


def test_all_that_is_asked_for_must_hold() -> None:
    assert _ids() == ["b-2", "b-1", "a-1"]
    assert _ids(words="A-1") == ["a-1", "b-1"]
    assert _ids(file="session-handoff.md", status="done") == ["b-1"]
    assert _ids(author="ada") == ["a-1"]
    assert _ids(tag="poo") == []


def test_days_and_moments_bound_it() -> None:
    assert _ids(since="2026-05-01", until="2026-06-01") == ["b-2", "b-1"]
    assert _ids(until="2026-06-01T07:59:59Z") == ["b-1", "a-1"]
