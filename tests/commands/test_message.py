"""A commit says who decided, and mentions nobody."""

from bot.commands.message import body, names
from bot.core.edit_plan import Action, Deed, EditPlan
from bot.core.snapshot import Actor, Repository
from tests.making import memory

SHOP = Repository(
    id=7, full_name="octo/shop", default_branch="main", url="https://github.example/octo/shop"
)


def plan(*verbs: str) -> EditPlan:
    actions = [Action(verb=verb, memory=memory(f"2026100{n}-x")) for n, verb in enumerate(verbs)]
    return EditPlan(actions=tuple(actions))


def said(made: EditPlan, sender: Actor | None = None) -> str:
    return body(
        made,
        sender=sender,
        comment="issuecomment-9",
        digest="0123456789abcdef",
        number=12,
        repository=SHOP,
    )


WHERE = "MemoryRail-Comment: https://github.example/octo/shop/pull/12#issuecomment-9 (0123456789ab)"


def test_each_decision_names_who_took_it_and_where() -> None:
    ada = Actor(id=1, login="ada")
    assert said(plan("approve"), ada) == (f"Approved-by: ada (https://github.example/ada)\n{WHERE}")
    several = said(plan("approve", "reject", "approve"), ada)
    assert several.split("\n\n")[-1].splitlines() == [
        "Approved-by: ada (https://github.example/ada)",
        "Rejected-by: ada (https://github.example/ada)",
        WHERE,
    ]
    assert "@" not in several


def test_what_nobody_is_known_to_have_asked_for_names_nobody() -> None:
    assert said(plan("approve")) == WHERE


def test_a_commit_names_one_text_of_one_comment() -> None:
    message = f"memoryrail: approve\n\n{said(plan('approve'))}"
    assert names(message, "issuecomment-9", "0123456789abcdef")
    renamed = message.replace("octo/shop", "octo/store")
    assert names(renamed, "issuecomment-9", "0123456789abcdef")
    assert not names(message, "issuecomment-9", "fedcba9876543210")
    assert not names(message, "issuecomment-19", "0123456789abcdef")
    assert not names(message, "pullrequestreview-9", "0123456789abcdef")
    assert not names(f"quoted: {WHERE}", "issuecomment-9", "0123456789abcdef")


def test_what_is_done_to_no_memory_names_who_did_it_too() -> None:
    ada = Actor(id=1, login="ada")
    synced = EditPlan(deeds=(Deed(verb="sync", name="AGENTS.md"),))
    assert said(synced, ada).startswith("Synced-by: ada (")
    assert synced.title == "memoryrail: sync AGENTS.md"
