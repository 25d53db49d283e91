"""What a pull request takes out of files that only grow, and what the base has gained."""

import dataclasses

from bot.core.model import MemoryStore
from bot.core.shared_files import SharedFiles, by_id
from bot.formats.cursor.store import read
from tests.formats.cursor.making import entry
from tests.formats.cursor.making import file as tree_file
from tests.making import file, snapshot

NAME, PATH = "session-handoff.md", ".cursor/memory/session-handoff.md"
A, B = (entry(f"1-{number}-state", correlation_id=f"1-{number}") for number in range(2))


def store(*entries: str, name: str = NAME) -> MemoryStore:
    found = read("", [tree_file(name, *entries)])
    assert found is not None
    return found


def test_the_memories_of_a_file_stand_in_its_order() -> None:
    twin = B.replace("done", "blocked")
    shared = SharedFiles(snapshot(base=[store(B, A, twin)], head=[store(A)]))
    assert [one.id for one in shared.before(PATH)] == ["1-1-state", "1-0-state", "1-1-state"]
    assert by_id(shared.before(PATH))["1-1-state"] is shared.before(PATH)[2]
    assert [one.id for one in shared.after(PATH)] == ["1-0-state"]
    assert shared.before("elsewhere.md") == ()


def test_what_moves_as_it_is_stays() -> None:
    archive = store(A, name="session-handoff.archive-1.md")
    shared = SharedFiles(snapshot(base=[store(A, B)], head=[archive]))
    assert [id_ for id_, _ in shared.staying] == ["1-0-state"]


def test_what_the_head_lacks_is_taken_away_or_was_gained_by_the_base() -> None:
    base, head = [store(A, B)], [store(A)]
    hidden = [store(A, B.replace("kind: ", "id: 7-7-state\nkind: "))]
    for change, side, lacks in (
        (file(PATH, removed=0), head, set()),
        (file(PATH, removed=0), hidden, {"1-1-state"}),
        (file(PATH, removed=9), head, {"1-1-state"}),
        (file(PATH), head, {"1-1-state"}),  # nobody counted
    ):
        shared = SharedFiles(snapshot(base=base, head=side, files=[change]))
        assert shared.taken_away(PATH, PATH) == lacks


def test_a_file_that_is_renamed_takes_all_with_it() -> None:
    moved = dataclasses.replace(file("old.md", "renamed", removed=0), previous_path=PATH)
    shared = SharedFiles(snapshot(base=[store(A)], head=[], files=[moved]))
    assert shared.takes_out(PATH)
    assert shared.taken_away(PATH, "old.md") == {"1-0-state"}
