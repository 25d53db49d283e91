"""approve, reject, archive and resolve: the exact files after the run, or an error."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.core.edit_plan import EditPlan
from bot.core.model import TreeFile
from bot.core.refs import resolve
from bot.formats.memoryrail import lifecycle
from bot.formats.memoryrail.memory_file import read_memory
from tests.vectors.memoryrail.project import Project, moment
from tests.vectors.verdict import Outcome

# The one line that a plan adds; where in the frontmatter is left open.
_ADDED: Final = re.compile(rb"^[ ]*superseded_by:[^\r\n]*\r?\n", re.MULTILINE)


def approve(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Make a proposal active."""
    return _moved(project, args, lifecycle.approve)


def archive(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Archive a memory."""
    return _moved(project, args, lifecycle.archive)


def resolve_thread(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Resolve a thread."""
    return _moved(project, args, lifecycle.resolve)


def reject(project: Project, args: Mapping[str, Any], _: Mapping[str, Any]) -> Outcome:
    """Delete a proposal."""
    tree = project.store_tree
    return planned(project, lifecycle.reject(tree, resolve(tree.store.memories, args["ref"])))


def planned(project: Project, plan: EditPlan) -> Outcome:
    """What a plan leaves, and what is said about it."""
    after = {edit.path: edit.data for edit in plan.edits}

    def files(expected: Mapping[str, Any]) -> tuple[object, object]:
        wanted, got = {}, {}
        for path, text in expected.items():
            now = after.get(path, project.files.get(path))
            then = None if text is None else project.fill(text)
            if not _is_same(project.files.get(path), then, now):
                wanted[path], got[path] = then, now
        return wanted, got

    said = [plan.title, plan.body, *(note.text for note in plan.notes)]
    return Outcome(
        judges={"files": files},
        changed=frozenset(path for path, data in after.items() if data != project.files.get(path)),
        output="\n".join(said),
    )


def _moved(project: Project, args: Mapping[str, Any], move: Callable[..., EditPlan]) -> Outcome:
    tree = project.store_tree
    memory = resolve(tree.store.memories, args["ref"])
    return planned(project, move(tree, memory, now=moment(args["now"])))


def _is_same(before: bytes | None, wanted: bytes | None, got: bytes | None) -> bool:
    """Whether a file is as expected, wherever the line stands that was added."""
    if wanted == got or before is None or wanted is None or got is None:
        return wanted == got
    if _ADDED.search(before) or _successor(wanted) != _successor(got):
        return False
    return _ADDED.sub(b"", wanted, count=1) == _ADDED.sub(b"", got, count=1)


def _successor(data: bytes) -> str | None:
    """What stands in `superseded_by` at the top level."""
    memory, _ = read_memory(TreeFile(path="x.md", oid="", data=data))
    return memory.superseded_by if memory else None
