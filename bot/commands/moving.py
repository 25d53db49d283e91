"""What the verbs that move memories on share: all that are named, by one planner, or none."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Outcome, Planned
from bot.core.edit_plan import EditPlan
from bot.core.errors import UserError
from bot.core.lifecycle import WEAKENED
from bot.core.model import Memory, MemoryStore
from bot.core.report import Section
from bot.formats.memoryrail.store_tree import StoreTree


class Planner(Protocol):
    """How a memory is moved on; of bot/formats, as the command line uses it."""

    def __call__(
        self,
        tree: StoreTree,
        memory: Memory,
        /,
        *,
        now: datetime,
        reason: str,
        base: MemoryStore | None,
        unapproved: frozenset[str],
    ) -> EditPlan:
        """Plan it. Raises UserError, MemoryFormatError."""


class WeakenedHere(UserError):  # noqa: N818 - reads as what it is
    """The pull request takes force from a settled memory, which a command must not seal."""

    def __init__(self, memory: Memory, why: str) -> None:
        super().__init__(f"{why} Mend that first.")
        self.memory = memory


def moved(
    command: Command,
    context: Context,
    planner: Planner,
    *,
    sealing: Collection[str] = WEAKENED,
) -> Outcome:
    """Move every memory on that a command names. Raises WrongArguments, Refusals.

    sealing: as for must_be_sound.
    """
    if not command.refs:
        raise WrongArguments("This names no memory.")

    def move(on: Context, tree: StoreTree, memory: Memory) -> EditPlan:
        must_be_sound(on, memory, sealing)
        return planner(
            tree,
            memory,
            now=on.now,
            reason=command.reason,
            base=on.base_of(tree),
            unapproved=on.unapproved,
        )

    return Planned(plan=context.plan_each(command.refs, move))


def must_be_sound(context: Context, memory: Memory, sealing: Collection[str] = WEAKENED) -> None:
    """Raise WeakenedHere where the pull request weakens what a command would leave as it is.

    What a maintainer's command leaves holds as approved. sealing: rules whose findings would go by
    that, and not by what the command does.
    """
    for finding in context.report.findings if context.report else ():
        is_here = finding.section is Section.MEMORY and finding.path == memory.path
        if is_here and finding.rule in sealing:
            raise WeakenedHere(memory, finding.message)
