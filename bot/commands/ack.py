"""`ack REF… [: reason]`: a maintainer accepts what applies, and that this pull request does it."""

from bot.commands.context import Context, Refusals, WrongArguments, found
from bot.commands.grammar import Command
from bot.commands.outcome import Acknowledged, Outcome, Refused, Shown
from bot.core.edit_plan import MAX_REASON, neutral
from bot.core.errors import UserError
from bot.core.model import Memory
from bot.core.refs import Refs
from bot.core.report import Report
from bot.core.snapshot import Side
from bot.render.phrases import listed


class DoesNotApply(UserError):  # noqa: N818 - reads as what it is
    """A memory that the review did not match has nothing to acknowledge."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(f"{memory.ref} ({memory.title}) does not apply to this pull request.")
        self.memory = memory


class NotSeen(UserError):  # noqa: N818 - reads as what it is
    """The text that a memory has on the base branch is not the one that the sender saw."""

    def __init__(self, memory: Memory, *, base_ref: str, was_shown: bool) -> None:
        named = f"{memory.ref} ({memory.title})"
        super().__init__(
            f"{named} is not the text on {base_ref} that I had shown when you wrote. Read the new "
            "one, then write the command again."
            if was_shown
            else f"I had not shown yet that {named} applies when you wrote. Look at the comment "
            "and the checks again, then write the command again."
        )
        self.memory = memory


class UndoneSince(UserError):  # noqa: N818 - reads as what it is
    """It was acknowledged, and somebody took that back later than the sender wrote."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(
            f"The acknowledgement of {memory.ref} ({memory.title}) was taken back since you wrote. "
            "Write the command again if it is to hold all the same."
        )
        self.memory = memory


def plan(command: Command, context: Context) -> Outcome:
    """Acknowledge matches. Raises WrongArguments; Refusals for what cannot be."""
    if not command.refs:
        raise WrongArguments("This names no memory.")
    if context.report is None:
        return Refused(text="This pull request has not been reviewed yet. Try again in a minute.")
    everything = [memory for store in context.base for memory in store.memories]
    named = found(Refs(everything), command.refs)
    problems = {
        memory.place: problem
        for memory in named
        if (problem := _problem(memory, context, context.report)) is not None
    }
    if problems:
        left = tuple(memory.ref for memory in named if memory.place not in problems)
        raise Refusals(tuple(problems.values()), left)
    if command.is_dry_run:
        refs = listed([f"**{memory.ref}**" for memory in named])
        return Shown(text=f"Would acknowledge {refs} on this pull request. No file would change.")
    return Acknowledged(memories=named, reason=neutral(command.reason, MAX_REASON))


def _problem(memory: Memory, context: Context, report: Report) -> UserError | None:
    """Why one memory cannot be acknowledged."""
    if all(match.memory.place != memory.place for match in report.matches):
        return DoesNotApply(memory)
    if ("ack", memory.anchor) in context.undone_since:
        return UndoneSince(memory)
    anchor, now = Side(sha=report.base_sha, stores=context.base).version(memory)
    if now and context.seen.get(anchor) == now:
        return None
    return NotSeen(memory, base_ref=report.base_ref, was_shown=bool(context.seen.get(anchor)))
