from bot.core.model import MemoryType, Status, TreeFile
from bot.formats import cursor
from bot.formats.cursor.store import read, wanted
from tests.formats.cursor.making import entry, file


def test_kinds_become_the_one_models_types() -> None:
    store = read(
        "",
        [
            file(
                "decisions.md",
                entry("a-1", kind="decision"),
                entry("a-2", kind="decision", status="rejected"),
            ),
            file("patterns.md", entry("b-1", kind="pattern")),
            file("session-handoff.md", entry("c-1", status="rejected")),
        ],
    )
    assert store is not None
    assert {memory.id: memory.type for memory in store.memories} == {
        "a-1": MemoryType.DECISION,
        "a-2": MemoryType.ATTEMPT,
        "b-1": MemoryType.GOTCHA,
        "c-1": MemoryType.SESSION,
    }
    assert {memory.status for memory in store.memories} == {Status.ACTIVE}
    assert store.only_appended
    assert (store.format, store.problems) == (cursor.NAME, ())


def test_the_newest_comes_first_and_of_one_moment_the_last() -> None:
    ats = {"a-1": "2026-04-01", "a-2": "2026-04-03", "a-3": "2026-04-03", "a-4": "2026-04-02"}
    entries = [entry(id_, at=f"{day}T00:00:00Z") for id_, day in ats.items()]
    store = read("", [file("session-handoff.md", *entries)])
    assert store is not None
    assert [memory.id for memory in store.memories] == ["a-3", "a-2", "a-4", "a-1"]


def test_paths_of_body_and_scope_are_links() -> None:
    body = "The cache in `src/cache/gateway.py` expires; see src/db/ as well."
    store = read(
        "", [file("patterns.md", entry("a-1", kind="pattern", scope="billing", body=body))]
    )
    assert store is not None
    assert store.memories[0].links == ("billing", "src/cache/gateway.py", "src/db")


def test_an_entry_that_says_what_it_is_binds_in_spite_of_its_faults() -> None:
    text = entry("a-1", status="finished") + entry("", summary="Nameless") + entry("a-3", kind="x")
    store = read("", [file("session-handoff.md", text)])
    assert store is not None
    assert [memory.id for memory in store.memories] == ["a-1"]
    assert {one.rule for one in store.problems} >= {"bad-status", "missing-field:id", "bad-kind"}


def test_a_seal_is_of_the_words_and_not_of_line_ends() -> None:
    seals = set()
    for text in (entry("a-1"), f"\ufeff{entry('a-1')}".replace("\n", "\r\n"), entry("a-1") * 2):
        store = read("", [file("session-handoff.md", text)])
        assert store is not None
        seals |= {memory.seal for memory in store.memories}
    assert len(seals) == 1
    other = read("", [file("session-handoff.md", entry("a-1", status="blocked"))])
    assert other is not None
    assert other.memories[0].seal not in seals


def test_there_is_no_store_without_a_file_of_entries() -> None:
    assert read("", []) is None
    assert read("", [TreeFile(path=".cursor/memory/notes.md", oid="", data=b"")]) is None
    assert not wanted("", ".cursor/memory/notes.md")
    assert read("", [file("decisions.md", root="app")]) is None


def test_a_file_that_is_not_read_is_said() -> None:
    unread = TreeFile(path=".cursor/memory/decisions.md", oid="", unread="it is gone")
    store = read("", [unread, file("patterns.md", entry("b-1", kind="pattern"))])
    assert store is not None
    assert [one.rule for one in store.problems] == ["unread"]
    assert len(store.memories) == 1
