"""A commit says who decided, and mentions nobody."""

from bot.commands.message import body
from bot.core.edit_plan import Action, EditPlan
from bot.core.snapshot import Actor, Repository
from tests.making import memory

SHOP = Repository(
    id=7, full_name="octo/shop", default_branch="main", url="https://github.example/octo/shop"
)


def plan(*verbs: str) -> EditPlan:
    actions = [Action(verb=verb, memory=memory(f"2026100{n}-x")) for n, verb in enumerate(verbs)]
    return EditPlan(actions=tuple(actions))


def test_each_decision_names_who_took_it_and_where() -> None:
    ada = Actor(id=1, login="ada")
    assert body(plan("approve"), sender=ada, comment_id=9, repository=SHOP) == (
        "Approved-by: ada (https://github.example/ada)\nMemoryRail-Comment: 9"
    )
    said = body(plan("approve", "reject", "approve"), sender=ada, comment_id=9, repository=SHOP)
    assert said.split("\n\n")[-1].splitlines() == [
        "Approved-by: ada (https://github.example/ada)",
        "Rejected-by: ada (https://github.example/ada)",
        "MemoryRail-Comment: 9",
    ]
    assert "@" not in said


def test_what_nobody_is_known_to_have_asked_for_names_nobody() -> None:
    said = body(plan("approve"), sender=None, comment_id=9, repository=SHOP)
    assert said == "MemoryRail-Comment: 9"
