"""`ack REF… [: reason]`: a maintainer accepts what applies, and that this pull request does it."""

from bot.commands.context import Context, Refusals, WrongArguments, found
from bot.commands.grammar import Command
from bot.commands.outcome import Acknowledged, Outcome, Refused, Shown
from bot.core.edit_plan import MAX_REASON, neutral
from bot.core.errors import UserError
from bot.core.model import Memory
from bot.core.refs import Refs
from bot.render.phrases import listed


class DoesNotApply(UserError):  # noqa: N818 - reads as what it is
    """A memory that the review did not match has nothing to acknowledge."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(f"{memory.ref} ({memory.title}) does not apply to this pull request.")
        self.memory = memory


def plan(command: Command, context: Context) -> Outcome:
    """Acknowledge matches. Raises WrongArguments; Refusals when one of the refs is no match."""
    if not command.refs:
        raise WrongArguments("This names no memory.")
    if context.report is None:
        return Refused(text="This pull request has not been reviewed yet. Try again in a minute.")
    matches = {match.memory.place for match in context.report.matches}
    everything = [memory for store in context.base for memory in store.memories]
    named = found(Refs(everything), command.refs)
    if strangers := [memory for memory in named if memory.place not in matches]:
        left = tuple(memory.ref for memory in named if memory.place in matches)
        raise Refusals(tuple(map(DoesNotApply, strangers)), left)
    if command.is_dry_run:
        refs = listed([f"**{memory.ref}**" for memory in named])
        return Shown(text=f"Would acknowledge {refs} on this pull request. No file would change.")
    return Acknowledged(memories=named, reason=neutral(command.reason, MAX_REASON))
