"""What the bot answers to commands, in plain words. Whatever others wrote is neutralised here.

No command stands alone on a line in our own text: whoever quotes us repeats none.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.commands.context import Context, Refusals
from bot.commands.grammar import MAX_COMMANDS, MAX_REFS, NAME, Command, Miss, MissKind
from bot.core.comment import MAX_REPLY
from bot.core.edit_plan import DONE, MAX_REASON, Action, EditPlan, FileEdit, Merge, Note
from bot.core.errors import BotError
from bot.core.model import Memory, Status
from bot.core.snapshot import Actor
from bot.formats.memoryrail.conditions import is_settled
from bot.render.markdown import code, fenced, line
from bot.render.patch import patch
from bot.render.phrases import count, listed

_MAX_LISTED = 20  # proposals in one answer
_MAX_LEFT = 5  # refs in one sentence
_LONG = 600  # characters of a sentence that quotes others
_ROOM_BESIDE_PATCH = 4_000  # characters for all else
_COUNTED = 100  # characters that the count of what is left out may take

SUGGESTED: Final = (
    "The same as suggestions. Who can push to the branch commits them all at once, as one batch, "
    "under “Files changed”."
)


def decided(plan: EditPlan, *, committed: bool, left: Sequence[str] = ()) -> str:
    """What a plan did, or would do where it could not be committed; with what was left alone.

    left: what else was asked for and is not done, and why.
    """
    rows = [_decided(action, committed) for action in plan.actions]
    rows += [
        f"{_done(deed.verb, committed)}: {line(deed.name, 300)}. {line(deed.detail, _LONG)}".strip()
        for deed in plan.deeds
    ]
    others = (*left, *(note.text for note in plan.notes))
    return "\n".join(_list([*rows, *(line(text, _LONG) for text in others)]))


def refused(problem: BotError, *, is_question: bool = False) -> str:
    """Why nothing of a command was done. is_question: it would have changed nothing anyway."""
    problems = problem.problems if isinstance(problem, Refusals) else (problem,)
    rows = [line(str(one), _LONG) for one in problems]
    left = _left(problem.left) if isinstance(problem, Refusals) else ""
    rows += [left] if left else []
    if is_question:
        return "\n".join(_list(rows))
    if len(problems) == 1:
        return f"Nothing was changed. {' '.join(rows)}"
    return "\n".join(["Nothing was changed:", "", *_list(rows)])


def no_ref(verb: str, context: Context, *, among: frozenset[str] | None = None) -> str:
    """That a command needs a ref, and which proposals there are; among: paths, None for all."""
    waiting = [
        memory
        for tree in context.trees
        for memory in tree.store.memories
        if memory.status is Status.PROPOSED
        and (among is None or memory.path in among)
        and not is_settled(memory, context.base_of(tree))
    ]
    if not waiting:
        return f"There is nothing to {verb}: no proposal waits at the head of this pull request."
    rows = [_named(memory) for memory in waiting[:_MAX_LISTED]]
    more = len(waiting) - len(rows)
    if more:
        rows.append(f"{more} more")
    return "\n".join(
        [f"Write which ones to {verb}. These wait:", "", *(f"- {row}" for row in rows)]
    )


def left_alone(notes: Sequence[Note], said: str = "Nothing was changed:") -> str:
    """That nothing was changed, and why each file was left as it is."""
    return "\n".join([said, "", *(f"- {line(note.text, _LONG)}" for note in notes)])


def misused(problem: BotError, form: str) -> str:
    """That a command is not written as it must be. form: its usage."""
    return f"{line(str(problem), _LONG)} Write {code(f'{NAME} {form}')}."


def took_back(words: Sequence[str]) -> str:
    """That what was kept without a commit holds no more. words: as a command would name it."""
    return f"Undone: {code(' '.join(words), 300)}."


def needless(plan: EditPlan) -> str:
    """That everything is as a plan would make it; with what it leaves alone."""
    said = "Nothing had to be changed."
    return left_alone(plan.notes, said) if plan.notes else said


def shown(plan: EditPlan, before: Mapping[str, bytes], *, left: Sequence[str] = ()) -> str:
    """What a plan would do, with its diff: for a dry run."""
    rows = decided(plan, committed=False, left=left)
    if not plan.edits:
        return "\n\n".join(filter(None, [rows, "No file would change."]))
    answer = "\n\n".join(filter(None, [rows, *_diff(plan, before)]))
    if len(answer) > MAX_REPLY - _ROOM_BESIDE_PATCH:
        return f"{rows}\n\nThe change is too long to be shown in a comment."
    return answer


def missed(misses: Sequence[Miss], forms: Mapping[str, str]) -> str:
    """The one answer to everything that was nearly a command. forms: verb -> how it is written."""
    return "\n".join(_list([_missed(miss, forms) for miss in misses]))


def with_patch(plan: EditPlan, before: Mapping[str, bytes], why: str) -> str:
    """The plan as a patch, for where the bot cannot push. why: our own words, a full sentence."""
    diff = _diff(plan, before)
    how = (
        " Apply this patch on the branch and push it: copy it into a file, then run "
        "`git apply FILE`."
    )
    is_patch = any(part.startswith("```") for part in diff)
    answer = "\n\n".join([why + (how if is_patch else ""), *diff])
    if len(answer) > MAX_REPLY - _ROOM_BESIDE_PATCH:
        return f"{why} The change is too long to be shown as a patch in a comment."
    return answer


def with_merge(
    plan: EditPlan, merge: Merge, before: Mapping[str, bytes], why: str, *, remote: str = "origin"
) -> str:
    """How to do by hand what a plan that merges would do. before: files of the base, by path.

    why: our own words, a full sentence. remote: where the base branch is fetched from.
    """
    folders = dict.fromkeys(edit.path.rpartition("/")[0] or "." for edit in plan.edits)
    steps = [
        f"git fetch {shlex.quote(remote)} {shlex.quote(merge.ref)}",
        "git merge FETCH_HEAD",
        "memoryrail-bot cursor reappend",
        f"git add {' '.join(map(shlex.quote, folders))}",
        "git commit",
    ]
    how = (
        "On the branch, this does it. What else is in conflict is to be put in order before the "
        "commit:"
    )
    parts = [why, how, fenced(tuple(steps), "sh")]
    diff = _diff(plan, before)
    is_patch = any(part.startswith("```") for part in diff)
    without = (
        "Without memoryrail-bot, take the files as the base branch has them "
        "(`git checkout MERGE_HEAD -- FILE`), and apply this patch with `git apply`:"
    )
    answer = "\n\n".join([*parts, *([without] if is_patch else []), *diff])
    return answer if len(answer) <= MAX_REPLY - _ROOM_BESIDE_PATCH else "\n\n".join(parts)


def dismissed(base_ref: str) -> str:
    """That the commit was a push to people's reviews."""
    return (
        f"A rule of {code(base_ref)} dismisses reviews at each push, and this commit was one: who "
        "had approved the pull request has to do so again."
    )


def named(command: Command, text: str) -> str:
    """What is said of one of several commands, with the command in front."""
    dry_run = ["--dry-run"] if command.is_dry_run else []
    name = code(" ".join([command.verb, *command.refs, *dry_run]), 100)
    return f"{name}:\n\n{text}" if "\n" in text else f"{name}: {text}"


def landed(sha: str, base_ref: str, *, number: int = 0, url: str = "") -> str:
    """Where a commit is that was made after the merge. number, url: of the pull request, if any."""
    if number:
        return (
            f"This is merged, so I opened [#{number}]({url}) with it: it holds once that is merged."
        )
    return f"Committed to {code(base_ref, 200)} as {sha[:12]}, as this is merged."


def of_button(label: str, presser: Actor | None, text: str) -> str:
    """An answer to who pressed a button, which shows nowhere else."""
    who = f"{code(f'@{presser.login}', 100)} pressed" if presser else "Somebody pressed"
    return f"{who} “{label}”.\n\n{text}"


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


def _diff(plan: EditPlan, before: Mapping[str, bytes]) -> list[str]:
    """The plan as a patch, and which files cannot be shown in one."""
    made = patch(plan, before)
    parts = [fenced(tuple(made.text.splitlines()), "diff")] if made.text else []
    if made.withheld:
        parts.append("\n".join(_list(map(_withheld, made.withheld))))
    return parts


def _decided(action: Action, committed: bool) -> str:
    memory, new = action.memory, action.successor
    because = f" Reason: {line(action.reason, MAX_REASON)}" if action.reason else ""
    if new is not None and new.status is Status.PROPOSED:
        noted = "Noted" if committed else "Would note"
        return f"{noted} that {_named(new)} is to replace {_named(memory)} once it is approved."
    tail = f", {line(action.detail, _LONG)}" if action.detail else ""
    if new is not None:
        tail = f", by {_named(new)}"
    elif action.verb == "approve" and memory.supersedes:
        tail = f", in place of {code(memory.supersedes)}"
    return f"{_done(action.verb, committed)} {_named(memory)}{tail}.{because}"


def _done(verb: str, committed: bool) -> str:
    return DONE[verb].capitalize() if committed else f"Would {verb}"


def _named(memory: Memory) -> str:
    return f"**{memory.ref}** · {line(memory.title, 300)}"


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
        "without back-ticks, bold, links or HTML, and no line of dashes may follow. Refs and paths "
        "in it may stand in back-ticks.",
        MissKind.TOO_MANY_REFS: f"{written} was not run: it names more than {MAX_REFS} memories.",
        MissKind.TOO_MANY_COMMANDS: f"{written} and what follows were not run: a comment may hold "
        f"{MAX_COMMANDS} commands.",
    }[miss.kind]


def _list(rows: Iterable[str]) -> list[str]:
    """Rows as a list, a single one as it is."""
    listed = list(rows)
    return listed if len(listed) == 1 else [f"- {row}" for row in listed]
