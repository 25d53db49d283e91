"""Generated blocks in the same plan as the memories that they show.

Only a block that we rendered is rewritten. Another tool's, or one whose markers are damaged, is
left alone, and the plan says so. So is one that would tell agents what nobody approved: our signed
commit must not carry that.
"""

from collections.abc import Collection, Iterable, Sequence

from bot.core.edit_plan import FileEdit, Note
from bot.core.model import Memory, TreeFile
from bot.core.report import BlockState
from bot.core.sync.place import place, standing


def regenerated(
    files: Iterable[TreeFile],
    memories: Sequence[Memory],
    *,
    unapproved: Collection[str] = frozenset(),
) -> tuple[tuple[FileEdit, ...], tuple[Note, ...]]:
    """The edits that bring our blocks in agent files into step, and a note on each one left alone.

    files: agent files beside the store. One without a block gets none, and a symlink is passed
    over: what it leads to stands for itself.
    unapproved: paths of active memories that nobody approved as they stand.
    """
    edits: list[FileEdit] = []
    notes: list[Note] = []
    for file in files:
        if file.is_symlink:
            continue
        made = _regenerated(file, memories, unapproved)
        if isinstance(made, FileEdit):
            edits.append(made)
        elif made:
            notes.append(Note(path=file.path, text=f"{file.path} was left alone: {made}"))
    return tuple(edits), tuple(notes)


def _regenerated(
    file: TreeFile, memories: Sequence[Memory], unapproved: Collection[str]
) -> FileEdit | str:
    """The edit of a file, or why there is none; "" when none is needed."""
    if file.data is None:
        return f"{file.unread or 'it could not be read'}."
    stands = standing(file.data, memories)
    if stands.state is BlockState.DAMAGED:
        return (
            "the markers of its generated block are damaged "
            f"(line {stands.line}: {stands.problem})."
        )
    if stands.state is not BlockState.OUT_OF_STEP:
        return ""
    if not stands.ours:
        return "another tool made its generated block. Run that tool's sync to bring it up to date."
    data = place(file.data, memories, path=file.path)
    approved = [memory for memory in memories if memory.path not in unapproved]
    known = {*file.data.splitlines(), *place(file.data, approved, path=file.path).splitlines()}
    if not known.issuperset(data.splitlines()):
        return (
            "its generated block would show active memories that no maintainer approved. Approve "
            "those too, or take them out."
        )
    return FileEdit(path=file.path, data=data, expected_oid=file.oid)
