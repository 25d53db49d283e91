"""All commands of one comment: each on what the ones before it leave, together one commit."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.commands import not_run
from bot.commands.answers import (
    decided,
    fit,
    missed,
    misused,
    named,
    needless,
    refused,
    shown,
    took_back,
)
from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command, Miss
from bot.commands.outcome import (
    Acknowledged,
    Answer,
    Ignored,
    Outcome,
    Planned,
    Recheck,
    Refused,
    Shown,
    TakenBack,
)
from bot.commands.registry import HANDLERS
from bot.commands.undo import is_of_the_last
from bot.commands.usage import Group
from bot.core.comment import MAX_REPLY
from bot.core.edit_plan import EditPlan, joined
from bot.core.errors import MemoryFormatError, UserError
from bot.formats.memoryrail.layout import is_memory_path
from bot.formats.memoryrail.store_tree import left_alone

May: TypeAlias = Callable[[Command], Refused | None]  # why a command is not allowed, None: it is
_Acts: TypeAlias = Planned | Acknowledged | Ignored | TakenBack


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What the commands of a comment come to."""

    outcomes: tuple[tuple[Command, Outcome], ...]  # in the order of the comment
    plan: EditPlan | None  # for one commit; None: there is nothing to write
    upheld: frozenset[str] = frozenset()  # paths of memories that a maintainer wants as they are

    @property
    def is_refused(self) -> bool:
        """Whether something that was asked for was not done."""
        return any(
            isinstance(outcome, Refused) or (isinstance(outcome, Planned) and outcome.left)
            for _, outcome in self.outcomes
        )

    def untold(self) -> "Batch":
        """The batch with nothing said of what is done: where it was asked for, it shows."""
        outcomes = tuple(
            (command, replace(outcome, is_told=False) if isinstance(outcome, Planned) else outcome)
            for command, outcome in self.outcomes
        )
        return replace(self, outcomes=outcomes)


def run(
    commands: Sequence[Command],
    context: Context,
    *,
    may: May = lambda _: None,
) -> Batch:
    """Plan every command that its sender may run. One that fails does not stop the others.

    Planning again on a newer head is safe.
    """
    outcomes: list[tuple[Command, Outcome]] = []
    acting: list[bool] = []  # of those that do something, whether they stand alone
    plans: list[EditPlan] = []
    upheld: frozenset[str] = frozenset()
    head = context.contents()
    for command in commands:
        outcome = may(command) or _outcome(command, context)
        if isinstance(outcome, _Acts):
            is_alone = is_of_the_last(command) or (
                isinstance(outcome, Planned) and outcome.plan.stands_alone
            )
            if acting and (is_alone or any(acting)):
                outcome = Refused(text=not_run.STANDS_ALONE)
            else:
                acting.append(is_alone)
        outcomes.append((command, outcome))
        if isinstance(outcome, Planned):
            plans.append(outcome.plan)
            upheld |= context.upheld_by(outcome.plan)
            context = context.after(outcome.plan)
    plan = joined(plans).without_what_stands(head)
    if not plan.edits:
        outcomes = [(command, _needless(outcome)) for command, outcome in outcomes]
    return Batch(outcomes=tuple(outcomes), plan=plan if plan.edits else None, upheld=upheld)


def rest(
    commands: Sequence[Command],
    done: Collection[int],
    touched: Collection[str],
    context: Context,
    *,
    may: May,
) -> Batch:
    """What is left of commands some of which were committed: what there is to say of each.

    done: positions of those. touched: paths in their commit. context: of the head as it is since.
    """
    notes = tuple(
        note
        for tree in context.trees
        if any(is_memory_path(tree.store.root, path) for path in touched)
        for note in left_alone(tree, unapproved=context.unapproved)
    )
    outcomes: list[tuple[Command, Outcome]] = []
    for position, command in enumerate(commands):
        outcome: Outcome = Planned(plan=EditPlan(notes=notes))
        if position in done:
            notes = ()  # said once
        else:
            outcome = may(command) or _outcome(command, context)
            if isinstance(outcome, Planned):  # the branch has moved on since
                outcome = Refused(text=not_run.IN_PART)
        outcomes.append((command, outcome))
    return Batch(outcomes=tuple(outcomes), plan=None)


def reply(
    batch: Batch, misses: Sequence[Miss], *, instead: str = "", besides: str = ""
) -> str | None:
    """The one answer to a comment, at most MAX_REPLY long; None where a reaction says it all.

    instead: why the plan was not committed and what to do, such as answers.with_patch; "" when it
    was, or when there is none. It is never cut, so what else there is to say has what it leaves.
    Where something is said of one of several commands, something is said of each. besides: what is
    to be known of the commit.
    """
    texts = [text for _, outcome in batch.outcomes if (text := _words(outcome, not instead))]
    if texts and len(batch.outcomes) > 1:
        texts = [
            _among_others(command, outcome, not instead) for command, outcome in batch.outcomes
        ]
    if misses:
        forms = {verb: handler.usage.form for verb, handler in HANDLERS.items()}
        texts.append(missed(misses, forms))
    said = fit(texts, MAX_REPLY - len(instead) - len(besides) - 4)
    return "\n\n".join(filter(None, [said, instead, besides])) or None


def _outcome(command: Command, context: Context) -> Outcome:
    handler = HANDLERS[command.verb]
    try:
        outcome = handler.plan(command, context)
    except WrongArguments as problem:
        return Refused(text=misused(problem, handler.usage.form))
    except (UserError, MemoryFormatError) as problem:
        is_question = handler.usage.group is Group.QUESTIONS
        return Refused(text=refused(problem, is_question=is_question))
    if command.is_dry_run and isinstance(outcome, Planned):
        before = context.contents()
        plan = outcome.plan.without_what_stands(before)
        return Shown(text=shown(plan, before, left=outcome.left))
    return outcome


def _needless(outcome: Outcome) -> Outcome:
    """An outcome, where all that was planned stands at the head already."""
    return Answer(text=needless(outcome.plan)) if isinstance(outcome, Planned) else outcome


def _words(outcome: Outcome, is_committed: bool) -> str:
    """What must be said: a plain success needs no words."""
    if isinstance(outcome, TakenBack):
        return took_back(outcome.words) if outcome.is_told else ""
    if isinstance(outcome, Recheck | Acknowledged | Ignored):
        return ""
    if isinstance(outcome, Planned):
        plan, left = outcome.plan, outcome.left
        is_plain = is_committed and not (plan.notes or left or outcome.is_told)
        return "" if is_plain else decided(plan, committed=is_committed, left=left)
    return outcome.text


def _among_others(command: Command, outcome: Outcome, is_committed: bool) -> str:
    """What is said of one of several commands: what it did or would do, else it by its name."""
    if isinstance(outcome, Planned):
        said = decided(outcome.plan, committed=is_committed, left=outcome.left)
        return said or named(command, "Done.")
    done = "The pull request is reviewed again." if isinstance(outcome, Recheck) else "Done."
    return named(command, _words(outcome, is_committed) or done)
