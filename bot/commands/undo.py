"""`undo`: what commands on this pull request did last is as it was before.

That is a commit of theirs, or what they kept without one. What was acknowledged or ignored may be
named, too.
"""

from collections.abc import Sequence

from bot.commands.context import Context, Refusals, WrongArguments, found
from bot.commands.grammar import NAME, Command
from bot.commands.outcome import Outcome, Planned, Refused, Shown, TakenBack
from bot.core.edit_plan import Deed, EditPlan, FileEdit
from bot.core.errors import UserError
from bot.core.kept import KEPT_VERBS, Kept
from bot.core.refs import Refs
from bot.render.markdown import code
from bot.render.phrases import listed

_MAX_PATHS = 5


class ChangedSince(UserError):  # noqa: N818 - reads as what it is
    """Files are not as the commit left them, so it cannot be taken back; paths are these."""

    def __init__(self, sha: str, paths: tuple[str, ...]) -> None:
        shown = [*paths[:_MAX_PATHS]]
        shown += [f"{len(paths) - _MAX_PATHS} more"] if paths[_MAX_PATHS:] else []
        verb = "is" if len(paths) == 1 else "are"
        super().__init__(
            f"{listed(shown)} {verb} no longer as commit {sha[:7]} left it. Undo on the branch "
            "what is still to be undone."
        )
        self.paths = paths


def is_of_the_last(command: Command) -> bool:
    """Whether a command undoes whatever was done last: no other command goes well with it."""
    return command.verb == "undo" and not command.words


def judged_as(command: Command, context: Context | None = None) -> tuple[str, ...]:
    """The verbs that a sender must be allowed for a command: who takes back must be who may give.

    context: None gives all that may come into question.
    """
    if command.verb != "undo":
        return (command.verb,)
    if command.words:
        named = command.words[0].lower()
        return (named,) if named in KEPT_VERBS else ("undo",)
    if context is None:
        return ("undo", *KEPT_VERBS)
    return ("undo", *dict.fromkeys(one.verb for one in _kept_last(context)))


def plan(command: Command, context: Context) -> Outcome:
    """Plan it. Raises WrongArguments, Refusals, UserError."""
    if not command.words:
        if kept := _kept_last(context):
            return _last(kept, command, context)
        return _commit(context)
    named = command.words[0].lower()
    if named == "ack":
        return _acknowledged(command, context)
    if named == "ignore":
        return _ignored(command, context)
    raise WrongArguments("Only what was acknowledged or ignored can be named.")


def _kept_last(context: Context) -> tuple[Kept, ...]:
    """What one comment kept, where no commit of commands came after it."""
    if again := tuple(one for one in context.kept if one.is_undone):
        return again
    since = context.last.at_ms if context.last else 0
    here = [one for one in context.kept if one.number == context.number and one.at_ms > since]
    return tuple(one for one in here if one.comment == here[-1].comment)


def _last(kept: Sequence[Kept], command: Command, context: Context) -> Outcome:
    named = {
        verb: [_ref(one, context) for one in kept if one.verb == verb]
        for verb in KEPT_VERBS
        if any(one.verb == verb for one in kept)
    }
    if any(one.at_ms >= context.written_ms and not one.is_undone for one in kept):
        forms = [
            code(f"{NAME} undo {' '.join([verb, *refs])}", 300) for verb, refs in named.items()
        ]
        raise UserError(
            f"What was done last here was done since you wrote. To take it back, write "
            f"{listed(forms)}."
        )
    words = tuple(word for verb, refs in named.items() for word in (verb, *refs))
    return _taken_back(kept, words, command, is_told=True)


def _acknowledged(command: Command, context: Context) -> Outcome:
    refs = command.refs[1:]
    if not refs:
        raise WrongArguments("This names no memory.")
    everything = [memory for store in context.base for memory in store.memories]
    memories = found(Refs(everything), refs)
    kept = {one.name: one for one in context.kept if one.verb == "ack"}
    if strangers := [memory for memory in memories if memory.anchor not in kept]:
        raise Refusals(
            tuple(
                UserError(f"{one.ref} ({one.title}) is not acknowledged on this pull request.")
                for one in strangers
            ),
            tuple(memory.ref for memory in memories if memory.anchor in kept),
        )
    return _taken_back([kept[one.anchor] for one in memories], ("ack", *refs), command)


def _ignored(command: Command, context: Context) -> Outcome:
    wanted = tuple(dict.fromkeys(word.strip("`").lower() for word in command.words[1:]))
    if not wanted:
        raise WrongArguments("This names no fingerprint.")
    kept = {one.name: one for one in context.kept if one.verb == "ignore"}
    if strangers := [code(one, 40) for one in wanted if one not in kept]:
        return Refused(
            text=f"Nothing was undone. This repository does not ignore {listed(strangers)}."
        )
    return _taken_back([kept[one] for one in wanted], ("ignore", *wanted), command)


def _taken_back(
    kept: Sequence[Kept], words: tuple[str, ...], command: Command, *, is_told: bool = False
) -> Outcome:
    if command.is_dry_run:
        return Shown(text=f"Would take back {code(' '.join(words), 300)}. No file would change.")
    return TakenBack(kept=tuple(kept), words=words, is_told=is_told)


def _ref(one: Kept, context: Context) -> str:
    """How a command names what was kept."""
    memories = (memory for store in context.base for memory in store.memories)
    return next((memory.ref for memory in memories if memory.anchor == one.name), one.name)


def _commit(context: Context) -> Outcome:
    last = context.last
    if last is None:
        raise UserError("There is nothing to undo: no commit of mine is left here.")
    if last.is_merge:
        raise UserError(
            f"Commit {last.sha[:7]} merged the base branch, and a merge is not undone here. Revert "
            "it on the branch, if it has to go."
        )
    changed = [one.path for one in last.changes if one.now_oid != one.after_oid]
    if changed:
        raise ChangedSince(last.sha, tuple(changed))
    lost = [one.path for one in last.changes if one.before and one.before.data is None]
    if lost:
        raise UserError(f"{listed(lost)} cannot be read as it was before commit {last.sha[:7]}.")
    edits = tuple(
        FileEdit(
            path=one.path,
            data=one.before.data if one.before else None,
            expected_oid=one.now_oid,
        )
        for one in sorted(last.changes, key=lambda one: one.path)
    )
    deed = Deed(verb="undo", name=last.subject.removeprefix("memoryrail: "))
    return Planned(plan=EditPlan(edits=edits, deeds=(deed,), reverts=last.sha))
