"""The table of spec/commands.md that says who may run what, made from the code that decides it.

python -m tests.commands.matrix    # writes it anew
"""

import re
from pathlib import Path
from typing import Final

from bot.commands.authorise import Asking, may_command
from bot.commands.context import Authors
from bot.core.repository_settings import RepositorySettings
from bot.core.snapshot import Actor
from bot.core.verbs import VERBS
from tests.commands.making import context, memory_file
from tests.making import ALICE, snapshot

SPEC: Final = Path(__file__).parents[2] / "spec" / "commands.md"
ROLES: Final = ("none", "read", "triage", "write", "maintain", "admin")  # each holds those before
_BOOLEANS: Final = ("pull", "triage", "push", "maintain", "admin")
_BEGIN, _END = "<!-- who may: made by tests/commands/matrix.py -->\n", "<!-- end -->\n"

MEMORY: Final = memory_file("20261001-keep-it")
KIM: Final = Actor(id=9, login="kim")  # opened the pull request where the sender did not


def permission(role: str) -> frozenset[str]:
    """The booleans of a role."""
    return frozenset(_BOOLEANS[: ROLES.index(role)])


def is_allowed(
    verb: str,
    asking: Asking,
    *,
    opened: bool = False,
    wrote: bool = False,
    settings: RepositorySettings | None = None,
) -> bool:
    """Whether a sender may, in all. opened: the pull request. wrote: the memory."""
    settings = settings or RepositorySettings()
    pull = snapshot(author=asking.sender if opened else KIM).pull
    if may_command(verb, asking, pull=pull, settings=settings) is not None:
        return False
    if verb != "approve" or asking.sender is None or asking.sender.id is None:
        return True
    authors = Authors(by_path={MEMORY.path: {asking.sender.id: "so it is"}} if wrote else {})
    on = context(MEMORY, sender=asking.sender, authors=authors, settings=settings)
    (memory,) = on.trees[0].store.memories
    return on.keeps_from_approving(memory) is None


def table() -> str:
    """A row for each verb, in Markdown."""
    header = ["command", *ROLES, "own pull request", "own memory", "agent or app"]
    rows = [header, ["---"] * len(header)]
    admin = Asking(sender=ALICE, permission=permission("admin"))
    app = Asking(sender=ALICE, permission=permission("admin"), via_app=True)
    for verb in VERBS:
        by_role = [
            is_allowed(verb, Asking(sender=ALICE, permission=permission(role))) for role in ROLES
        ]
        own = [is_allowed(verb, admin, opened=True), is_allowed(verb, admin, wrote=True)]
        cells = [*by_role, *own, is_allowed(verb, app)]
        rows.append([f"`{verb}`", *("yes" if one else "" for one in cells)])
    return "".join(f"| {' | '.join(row)} |\n".replace("  ", " ") for row in rows)


def written() -> str:
    """The table as the document has it."""
    return SPEC.read_text("utf-8").partition(_BEGIN)[2].partition(_END)[0].strip("\n") + "\n"


if __name__ == "__main__":
    text = SPEC.read_text("utf-8")
    made = f"{_BEGIN}\n{table()}\n{_END}"
    found = re.compile(f"{re.escape(_BEGIN)}.*{re.escape(_END)}", re.DOTALL)
    SPEC.write_text(found.sub(lambda _: made, text), "utf-8")
