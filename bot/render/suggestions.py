"""An edit plan as suggestions on the lines of a pull request, which its author commits by a click.

A suggestion takes the place of lines that the change shows. All of a plan can be suggested or none
of it: a part, as an approval without the block that it changes, would leave the rest out of step.
https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/commenting-on-a-pull-request
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.core.edit_plan import EditPlan, FileEdit
from bot.core.snapshot import ChangedFile
from bot.render.patch import lines_of, patch, survives

MAX_SUGGESTIONS: Final = 10
MAX_LINES: Final = 30  # of one suggestion, and of what it replaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A comment on lines of a file at the head."""

    path: str
    start: int  # from 1
    end: int  # the last one; not before start
    body: str  # Markdown


def suggestions(
    plan: EditPlan, before: Mapping[str, bytes], files: Sequence[ChangedFile]
) -> tuple[Suggestion, ...]:
    """The whole plan as suggestions, in the order of files and lines; () where it cannot be.

    before: contents at the head, by path. files: what the pull request changes; a suggestion stands
    on lines that it adds.
    """
    if patch(plan, before).withheld:
        return ()
    found: list[Suggestion] = []
    for edit in plan.edits:
        made = tuple(_of_file(edit, before.get(edit.path)))
        added = [
            (block.start, block.start + block.text.count("\n"))
            for file in files
            for block in file.added
            if block.path == edit.path
        ]
        overlap = any(one.start <= other.end for other, one in pairwise(made))
        if not made or overlap or not all(_fits(one, added) for one in made):
            return ()
        found += made
    return tuple(found) if len(found) <= MAX_SUGGESTIONS else ()


def _fits(one: Suggestion, added: Sequence[tuple[int, int]]) -> bool:
    is_added = any(first <= one.start and one.end <= last for first, last in added)
    return is_added and max(one.end - one.start, one.body.count("\n") - 2) < MAX_LINES


def _of_file(edit: FileEdit, old: bytes | None) -> Iterator[Suggestion]:
    """A suggestion for each run of lines that differ; none for a file that cannot have them."""
    if not old or edit.data is None or not (survives(old) and survives(edit.data)):
        return
    before, after = lines_of(old), lines_of(edit.data)
    if not all(text.endswith("\n") for text in (*before[-1:], *after[-1:])):
        return
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, *ends in matcher.get_opcodes():
        first, last, to_first, to_last = ends
        if kind == "insert" and first > 0:  # it has to replace a line: the one above
            first, to_first = first - 1, to_first - 1
        elif kind == "insert":  # the one below
            last, to_last = last + 1, to_last + 1
        if kind != "equal":
            lines = after[to_first:to_last]
            yield Suggestion(path=edit.path, start=first + 1, end=last, body=_fenced(lines))


def _fenced(lines: Sequence[str]) -> str:
    runs = re.findall("`+", "".join(lines))
    fence = "`" * max([3, *(len(run) + 1 for run in runs)])
    return f"{fence}suggestion\n{''.join(lines)}{fence}"
