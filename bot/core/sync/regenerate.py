"""Generated blocks in the same plan as the memories that they show.

Only a block that we rendered is rewritten. Another tool's, or one whose markers are damaged, is
left alone, and the plan says so.
"""

from collections.abc import Iterable, Sequence

from bot.core.edit_plan import FileEdit
from bot.core.model import Memory, TreeFile
from bot.core.report import BlockState
from bot.core.sync.place import place, standing


def regenerated(
    files: Iterable[TreeFile], memories: Sequence[Memory]
) -> tuple[tuple[FileEdit, ...], tuple[str, ...]]:
    """The edits that bring our blocks in agent files into step, and a note on each one left alone.

    files: agent files beside the store. One without a block gets none, and a symlink is passed
    over: what it leads to stands for itself.
    """
    edits: list[FileEdit] = []
    notes: list[str] = []
    for file in files:
        if file.is_symlink:
            continue
        if file.data is None:
            notes.append(f"{file.path} was left alone: {file.unread or 'it could not be read'}.")
            continue
        stands = standing(file.data, memories)
        if stands.state is BlockState.DAMAGED:
            notes.append(
                f"{file.path} was left alone: the markers of its generated block are damaged "
                f"(line {stands.line}: {stands.problem})."
            )
        elif stands.state is BlockState.OUT_OF_STEP and not stands.ours:
            notes.append(
                f"{file.path} was left alone: another tool made its generated block. "
                "Run that tool's sync to bring it up to date."
            )
        elif stands.state is BlockState.OUT_OF_STEP:
            data = place(file.data, memories, path=file.path)
            edits.append(FileEdit(path=file.path, data=data, expected_oid=file.oid))
    return tuple(edits), tuple(notes)
