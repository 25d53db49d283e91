from bot.core.edit_plan import EditPlan, FileEdit
from bot.core.model import MemoryStore
from bot.formats import jumpybrain
from bot.formats.cursor.store import read
from bot.formats.memoryrail.store_tree import StoreTree
from bot.formats.trees import after, is_memory_file
from tests.formats.cursor.making import entry, file
from tests.formats.jumpybrain import making as jumpy
from tests.making import memory, store

DECISIONS = file("decisions.md", entry("a-1", kind="decision"))


def _store() -> MemoryStore:
    found = read("", [DECISIONS])
    assert found is not None
    return found


def test_a_store_is_read_again_as_a_plan_leaves_it() -> None:
    tree = StoreTree(store=_store(), files=_store().files)
    more = file("patterns.md", entry("b-1", kind="pattern"))
    edits = (
        FileEdit(path=more.path, data=more.data, expected_oid=None),
        FileEdit(path="src/a.py", data=b"1", expected_oid=None),
    )
    then = after(tree, EditPlan(edits=edits))
    assert {one.id for one in then.store.memories} == {"a-1", "b-1"}
    assert then.files.keys() == {DECISIONS.path, more.path}
    gone = FileEdit(path=DECISIONS.path, data=None, expected_oid="1")
    assert after(tree, EditPlan(edits=(gone,))).store.memories == ()


def test_which_files_hold_memories() -> None:
    assert is_memory_file(_store(), ".cursor/memory/patterns.md")
    assert not is_memory_file(_store(), "src/a.py")
    rail = store(memory())
    assert is_memory_file(rail, memory().path)
    assert not is_memory_file(rail, rail.config)


def test_documents_are_read_again_beside_their_mark() -> None:
    note = jumpy.file("memory/notes/a.md", jumpy.text())
    brain = jumpybrain.read("", [jumpy.config(), note])
    assert brain is not None
    tree = StoreTree(store=brain, files=brain.files)
    edit = FileEdit(path=note.path, data=jumpy.text(title="New").encode(), expected_oid=note.oid)
    then = after(tree, EditPlan(edits=(edit,)))
    assert [one.title for one in then.store.memories] == ["New"]
    assert is_memory_file(brain, "memory/pages/new.md")
    assert not is_memory_file(brain, brain.config)
