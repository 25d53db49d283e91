import pytest

from bot.core.model import MemoryType, Status
from bot.formats.jumpybrain.store import directories, marks, read, reread, wanted
from tests.formats.jumpybrain.making import config, file, id_of, text


@pytest.mark.parametrize(
    ("bucket", "type_"),
    [
        ("decisions", MemoryType.DECISION),
        ("findings", MemoryType.GOTCHA),
        ("preferences", MemoryType.CONSTRAINT),
        ("pages", MemoryType.GOTCHA),
        ("notes", MemoryType.GOTCHA),
        ("sessions", MemoryType.SESSION),
    ],
)
def test_documents_are_memories(bucket: str, type_: MemoryType) -> None:
    path = f"memory/{bucket}/a.md"
    body = "\nSee `src/queue.py` and docs/queue.md.\n"
    content = text(type="", tags="", body=body).replace("---\n\n", 'tags: ["q"]\n---\n\n')
    store = read("", [config(), file(path, content)])
    assert store is not None
    assert store.key == ("", "jumpybrain")
    (memory,) = store.memories
    assert (memory.id, memory.type, memory.title) == (id_of(1), type_, "On 1")
    assert (memory.links, memory.tags) == (("src/queue.py", "docs/queue.md"), ("q",))
    assert (memory.status, memory.lines["id"]) == (Status.ACTIVE, 2)
    assert memory.body == body
    assert store.files.keys() == {path}
    assert store.problems == ()


def test_what_an_agent_drafted_does_not_bind() -> None:
    store = read("", [config(), file("memory/notes/a.md", text(confidence="agent-drafted"))])
    assert store is not None
    assert store.memories[0].status is Status.PROPOSED
    assert store.active == ()


def test_a_root_that_is_not_compatible_is_not_read() -> None:
    files = [config(data=b'{"schemaVersion": 2}'), file("memory/notes/a.md", "x")]
    store = read("", files)
    assert store is not None
    assert store.memories == ()
    assert [one.rule for one in store.problems] == ["schema-too-new"]
    assert store.files.keys() == {"memory/notes/a.md"}


def test_the_upper_of_two_roots_counts() -> None:
    files = [
        config(),
        config("jumpybrain.json"),
        file("memory/notes/a.md", text(1)),
        file("notes/b.md", text(2)),
    ]
    store = read("", files)
    assert store is not None
    assert [one.path for one in store.memories] == ["notes/b.md"]
    assert [(one.path, one.rule) for one in store.problems] == [
        ("memory/jumpybrain.json", "shadowed-root")
    ]


def test_without_a_root_there_is_no_store() -> None:
    assert read("", [file("memory/notes/a.md", text())]) is None
    assert read("", [config("app/memory/jumpybrain.json")]) is None


def test_paths_are_meant_from_the_folder_or_from_the_repository() -> None:
    body = "\n`app/src/a.py` and `src/b.py`\n"
    files = [config("app/memory/jumpybrain.json"), file("app/memory/notes/a.md", text(body=body))]
    store = read("app", files)
    assert store is not None
    assert store.memories[0].links == ("src/a.py", "src/b.py")


def test_a_memory_folder_is_read_for_the_folder_above_it_alone() -> None:
    path = "app/memory/notes/a.md"
    assert wanted("app", path)
    assert wanted("app", "app/memory/jumpybrain.json")
    assert not wanted("app/memory", path)
    assert not wanted("", path)
    assert not wanted("app", "app/memory/.jumpybrain/state.json")


def test_where_a_store_is_looked_for() -> None:
    assert marks("") == ("jumpybrain.json", "memory/jumpybrain.json")
    assert marks("app/memory") == ("app/memory/memory/jumpybrain.json",)
    assert directories("app", ()) == ()
    assert "app/memory/pages" in directories("app", ["app/memory/jumpybrain.json"])
    assert directories("", marks(""))[0] == "notes"


def test_a_store_is_read_again_beside_the_same_mark() -> None:
    store = read("", [config(data=b'{"schemaVersion": 1, "indexRoot": "/"}')])
    assert store is not None
    again = reread(store, [file("memory/notes/a.md", "x"), file("notes/b.md", "y")])
    assert [one.path for one in again.memories] == ["memory/notes/a.md"]
    assert [one.rule for one in again.problems] == ["bad-index-root", "missing-id"]
    assert reread(again, []) == store
