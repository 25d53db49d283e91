from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import pytest

from bot.formats.jumpybrain.refused import Refused
from bot.formats.jumpybrain.stamp import stamp
from bot.formats.jumpybrain.store import read
from bot.formats.memoryrail.store_tree import StoreTree
from bot.formats.trees import after
from tests.formats.jumpybrain.making import config, file, id_of, text

NOW = datetime(2026, 10, 10, 17, 30, tzinfo=UTC)
A, B, C = "memory/notes/a.md", "memory/notes/b.md", "memory/pages/c.md"


def tree(version: int = 1, **files: str) -> StoreTree:
    mark = config(data=f'{{"schemaVersion": {version}}}'.encode())
    store = read(
        "", [mark, *(file(f"memory/notes/{name}.md", said) for name, said in files.items())]
    )
    assert store is not None
    return StoreTree(store=store, files=store.files)


def ids(start: int = 7) -> Iterator[str]:
    return (id_of(number) for number in range(start, start + 99))


def test_what_lacks_an_id_gets_one_and_nothing_else_changes() -> None:
    new = ids()
    on = tree(a=text(), b=text(id=""), c="# Plain\n")
    plan, more = stamp(on, now=NOW, new_id=lambda: next(new), limit=9)
    at = "2026-10-10T17:30:00.000Z"
    expected = {
        B: text(7, title="On 1", updated_at=at),
        "memory/notes/c.md": f'---\nid: "{id_of(8)}"\nupdated_at: "{at}"\n---\n\n# Plain\n',
    }
    assert {edit.path: (edit.data or b"").decode() for edit in plan.edits} == expected
    assert [edit.expected_oid for edit in plan.edits] == [on.files[path].oid for path in expected]
    assert (more, plan.title) == (0, "memoryrail: stamp-ids 2 documents in memory")
    again, _ = stamp(after(on, plan), now=NOW, new_id=lambda: next(new), limit=9)
    assert (again.edits, again.deeds) == ((), ())


def test_no_more_than_asked_for_at_once() -> None:
    new = ids()
    plan, more = stamp(tree(a="a", b="b", c="c"), now=NOW, new_id=lambda: next(new), limit=2)
    assert ([edit.path for edit in plan.edits], more) == ([A, B], 1)


def test_an_id_of_another_form_is_kept_and_noted() -> None:
    plan, _ = stamp(tree(a=text(id="note-7")), now=NOW, new_id=lambda: "", limit=9)
    assert (plan.edits, [note.path for note in plan.notes]) == ((), [A])


def test_a_root_that_is_not_compatible_is_left_alone() -> None:
    with pytest.raises(Refused, match="Schema 2 is newer"):
        stamp(tree(2, a="a"), now=NOW, new_id=lambda: str(UUID(int=1)), limit=9)
