"""What a memory must be to be moved on."""

import pytest

from bot.core.errors import BotError
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.conditions import NotActive, NotProposed, SettledOnBase
from tests.formats.memoryrail.trees import (
    CONFIG,
    NOW,
    OLD,
    file,
    memory_file,
    on_base,
    plan,
    store_tree,
)


@pytest.mark.parametrize("op", ["approve", "reject"])
@pytest.mark.parametrize("path", ["20261001-old", "20261001-moved"])
def test_what_the_base_has_settled_is_not_decided_on(op: str, path: str) -> None:
    text = (OLD.data or b"").replace(b'"active"', b'"proposed"')
    found = store_tree([CONFIG, file(f".memoryrail/memories/{path}.md", text)])
    (memory,) = found.store.memories
    arguments = {"now": NOW} if op == "approve" else {}
    with pytest.raises(SettledOnBase) as error:
        getattr(lifecycle, op)(found, memory, base=on_base(OLD), **arguments)
    assert str(error.value).endswith(
        "(On 20261001-old) is active on the base branch, so it is no proposal to decide on. "
        "Restore .memoryrail/memories/20261001-old.md as it is there."
    )


@pytest.mark.parametrize(
    ("op", "status", "error"),
    [
        ("archive", "proposed", NotActive),
        ("archive", "superseded", NotActive),
        ("resolve", "resolved", NotActive),
        ("reject", "superseded", NotProposed),
    ],
)
def test_what_cannot_be_moved_on(op: str, status: str, error: type[BotError]) -> None:
    found = store_tree([CONFIG, memory_file("20261001-it", status, "thread")])
    with pytest.raises(error, match=status):
        plan(op, found, "20261001-it")
