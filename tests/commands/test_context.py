"""What a plan leaves is what the next command sees."""

from bot.commands.context import Context
from tests.commands.making import context, edits, memory_file, said

PLAIN = memory_file("20261005-plain")


def statuses(on: Context) -> list[str]:
    return [memory.status.value for tree in on.trees for memory in tree.store.memories]


def test_after_a_plan() -> None:
    before = context(PLAIN)
    batch = said("/memoryrail approve 20261005-plain", before)
    assert batch.plan is not None
    after = before.after(batch.plan)
    assert statuses(before) == ["proposed"]
    assert statuses(after) == ["active"]
    assert after.trees[0].files[PLAIN.path].data == edits(batch)[PLAIN.path]


def test_planning_again_gives_the_same() -> None:
    plans = [said("/memoryrail approve 20261005-plain", context(PLAIN)).plan for _ in range(2)]
    assert plans[0] == plans[1]


def test_the_base_of_a_store_is_found_by_its_root() -> None:
    on = context(PLAIN)
    store = on.trees[0].store
    assert Context(trees=on.trees, base=(store,), now=on.now).base_of(on.trees[0]) is store
    assert on.base_of(on.trees[0]) is None
