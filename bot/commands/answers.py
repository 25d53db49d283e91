"""What the bot answers to commands, in plain words. Whatever others wrote is neutralised here.

No command stands alone on a line in our own text: whoever quotes us repeats none.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from bot.commands.context import Context, Refusals
from bot.commands.grammar import MAX_COMMANDS, MAX_REFS, NAME, Command, Miss, MissKind
from bot.core.comment import MAX_REPLY
from bot.core.edit_plan import MAX_REASON, Action, EditPlan, FileEdit
from bot.core.errors import BotError
from bot.core.model import Status
from bot.formats.memoryrail import lifecycle
from bot.render.markdown import code, fenced, line
from bot.render.patch import patch
from bot.render.phrases import count, listed

_PAST = {"approve": "Approved", "reject": "Rejected", "archive": "Archived", "resolve": "Resolved"}
_MAX_LISTED = 20  # proposals in one answer
_MAX_LEFT = 5  # refs in one sentence
_LONG = 600  # characters of a sentence that quotes others
_ROOM_BESIDE_PATCH = 4_000  # characters for all else
_COUNTED = 100  # characters that the count of what is left out may take


def decided(plan: EditPlan, *, committed: bool) -> str:
    """What a plan did, or would do where it could not be committed; with what was left alone."""
    rows = [_decided(action, committed) for action in plan.actions]
    return "\n".join(_list([*rows, *(line(note.text, _LONG) for note in plan.notes)]))


def refused(problem: BotError) -> str:
    """Why nothing of a command was done."""
    problems = problem.problems if isinstance(problem, Refusals) else (problem,)
    rows = [line(str(one), _LONG) for one in problems]
    left = _left(problem.left) if isinstance(problem, Refusals) else ""
    if len(rows) == 1:
        return f"Nothing was changed. {rows[0]}" + (f" {left}" if left else "")
    return "\n".join(["Nothing was changed:", "", *_list([*rows, *filter(None, [left])])])


def no_ref(verb: str, context: Context, *, among: frozenset[str] | None = None) -> str:
    """That a command needs a ref, and which proposals there are; among: paths, None for all."""
    waiting = [
        memory
        for tree in context.trees
        for memory in tree.store.memories
        if memory.status is Status.PROPOSED
        and (among is None or memory.path in among)
        and not lifecycle.is_settled(memory, context.base_of(tree))
    ]
    if not waiting:
        return f"There is nothing to {verb}: no proposal waits at the head of this pull request."
    rows = [f"**{memory.ref}** · {line(memory.title, 300)}" for memory in waiting[:_MAX_LISTED]]
    more = len(waiting) - len(rows)
    if more:
        rows.append(f"{more} more")
    return "\n".join(
        [f"Write which ones to {verb}. These wait:", "", *(f"- {row}" for row in rows)]
    )


def missed(misses: Sequence[Miss], forms: Mapping[str, str]) -> str:
    """The one answer to everything that was nearly a command. forms: verb -> how it is written."""
    return "\n".join(_list([_missed(miss, forms) for miss in misses]))


def with_patch(plan: EditPlan, before: Mapping[str, bytes], why: str) -> str:
    """The plan as a patch, for where the bot cannot push. why: our own words, a full sentence."""
    made = patch(plan, before)
    parts = [why]
    if made.text:
        parts[0] += (
            " Apply this patch on the branch and push it: copy it into a file, then run "
            "`git apply FILE`."
        )
        parts.append(fenced(tuple(made.text.splitlines()), "diff"))
    if made.withheld:
        parts.append("\n".join(_list(map(_withheld, made.withheld))))
    answer = "\n\n".join(parts)
    if len(answer) > MAX_REPLY - _ROOM_BESIDE_PATCH:
        return f"{why} The change is too long to be shown as a patch in a comment."
    return answer


def named(command: Command, text: str) -> str:
    """What is said of one of several commands, with the command in front."""
    name = code(" ".join([command.verb, *command.refs]), 100)
    return f"{name}:\n\n{text}" if "\n" in text else f"{name}: {text}"


def fit(records: Sequence[str], room: int) -> str:
    """Records as paragraphs, as many as room characters hold, and a count of the rest.

    One that is too long keeps out none of those that come after it.
    """
    left = room - _COUNTED
    shown: list[str] = []
    for record in records:
        if len(record) + 2 <= left:
            shown.append(record)
            left -= len(record) + 2
    if rest := len(records) - len(shown):
        shown.append(f"{count(rest, 'more record')} did not fit in here.")
    return "\n\n".join(shown)


def _decided(action: Action, committed: bool) -> str:
    memory = action.memory
    verb = _PAST[action.verb] if committed else f"Would {action.verb}"
    replaces = action.verb == "approve" and memory.supersedes
    tail = f", in place of {code(replaces)}" if replaces else ""
    because = f" Reason: {line(action.reason, MAX_REASON)}" if action.reason else ""
    return f"{verb} **{memory.ref}** · {line(memory.title, 300)}{tail}.{because}"


def _left(refs: Sequence[str]) -> str:
    """That what else a command names was left as it is."""
    shown = [*refs[:_MAX_LEFT], *([f"{len(refs) - _MAX_LEFT} more"] if refs[_MAX_LEFT:] else [])]
    verb = "was" if len(refs) == 1 else "were"
    return f"{listed(shown)} {verb} left too: a command is done whole or not." if refs else ""


def _withheld(edit: FileEdit) -> str:
    looks = "it holds what looks like a credential, which must not be shown again."
    if edit.data is None:
        command = code(f"git rm {shlex.quote(edit.path)}", 1000)
        return f"There is no patch for {code(edit.path)}: {looks} Delete the file with {command}."
    return (
        f"There is no patch for {code(edit.path)}: {looks} Take that out on the branch, then write "
        "the command again."
    )


def _missed(miss: Miss, forms: Mapping[str, str]) -> str:
    written = code(miss.written, 100)
    if miss.kind is MissKind.VERB:
        if miss.suggestion:
            form = code(f"{NAME} {forms[miss.suggestion]}")
            return f"{written} is no command. Did you mean {form}?"
        known = ", ".join(code(verb) for verb in forms)
        return f"{written} is no command. There are {known}."
    return {
        MissKind.FORMATTED: f"{written} was not run: a command is plain text on a line of its own, "
        "without back-ticks, bold, links or HTML, and no line of dashes may follow.",
        MissKind.TOO_MANY_REFS: f"{written} was not run: it names more than {MAX_REFS} memories.",
        MissKind.TOO_MANY_COMMANDS: f"{written} and what follows were not run: a comment may hold "
        f"{MAX_COMMANDS} commands.",
    }[miss.kind]


def _list(rows: Iterable[str]) -> list[str]:
    """Rows as a list, a single one as it is."""
    listed = list(rows)
    return listed if len(listed) == 1 else [f"- {row}" for row in listed]
